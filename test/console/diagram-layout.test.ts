import { describe, expect, it } from 'vitest';
import { layOut, longestWord } from '../../console/features/diagram/labels/layout.js';

/** Every character is half as wide as the font is large. */
const room = {
  width: 60,
  fontSize: 12,
  minFontSize: 8,
  measure: (text: string, size: number) => (text.length * size) / 2,
};
const lines = (label: string, width = room.width) => layOut(label, { ...room, width }).lines;

describe('a label of a diagram', () => {
  it('is broken between words, and where its author broke it', () => {
    expect(lines('Check the order')).toEqual(['Check the', 'order']);
    expect(lines('Check\nthe order')).toEqual(['Check', 'the order']);
    expect(lines('')).toEqual(['']);
  });

  it('keeps words together that a no-break space joins', () => {
    expect(lines('within 10\u00A0days')).toEqual(['within', '10\u00A0days']);
  });

  it('breaks a word that does not fit only at its joints', () => {
    expect(lines('Order-confirmation', 72)).toEqual(['Order-', 'confirmation']);
    expect(lines('calculateShippingCosts')).toEqual(['calculate', 'Shipping', 'Costs']);
    expect(lines('Vertrags\u00ADprüfung')).toEqual(['Vertrags-', 'prüfung']);
    expect(lines('Vor\u00ADgang')).toEqual(['Vorgang']);
    expect(lines('注文を確認して発送する').join('')).toBe('注文を確認して発送する');
  });

  it('shrinks until its longest word fits, and no further than readable', () => {
    expect(layOut('Notify manufacturer', room)).toEqual({ fontSize: 10, lines: ['Notify', 'manufacturer'] });
    expect(layOut('Donaudampfschifffahrt', room)).toEqual({ fontSize: 8, lines: ['Donaudampfschi…'] });
  });

  it('shrinks until its lines fit into the height, and ends with an ellipsis if they do not', () => {
    const high = (height: number) => layOut('Ask another department before packing everything', { ...room, height });
    expect(high(100)).toEqual({
      fontSize: 12,
      lines: ['Ask', 'another', 'department', 'before', 'packing', 'everything'],
    });
    expect(high(80)).toEqual({
      fontSize: 11,
      lines: ['Ask', 'another', 'department', 'before', 'packing', 'everything'],
    });
    expect(high(30)).toEqual({ fontSize: 8, lines: ['Ask another', 'department', 'before packing…'] });
  });

  it('is bounded, whatever its length', () => {
    expect(lines('x'.repeat(1_000_000))).toHaveLength(1);
    expect(lines('word '.repeat(200_000)).length).toBeLessThan(1_000);
    expect(longestWord('x'.repeat(1_000_000), (text) => text.length)).toBe(1_000);
  });
});
