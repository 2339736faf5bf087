/** Texts and attributes as XML 1.0 reads them, whatever the parser below would make of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesOf } from '@perdure/xml/places.js';
import { readable } from '@perdure/xml/readable.js';
import { isRefusal } from '@perdure/xml/refusal.js';
import { visit } from '@perdure/xml/scan.js';
import { scaled } from '../engine/random/seeds.js';
import { merged, randomFile, type Content } from './support/random-files.js';

function contentOf(xml: string): Content[] {
  const content: Content[] = [];
  const refusal = visit(xml, {
    open: (_name, attributes) => content.push(Object.fromEntries(attributes)),
    close: () => content.push(null),
    text: (text) => content.push(text),
  });
  return refusal ? [refusal.message] : merged(content);
}

function textOf(xml: string): string {
  const file = readable(xml);
  return isRefusal(file) ? file.message : file.text;
}

/** Each element gets an id. */
const withIDs = (xml: string) => {
  let count = 0;
  return xml.replace(/<b(?=[\s>])/g, () => `<b id="b${(count += 1)}"`);
};

describe('any file', () => {
  it('is read as XML 1.0 says: line ends, white space in attributes, and references', () => {
    fc.assert(
      fc.property(randomFile, ({ xml, content }) => {
        expect(contentOf(xml)).toEqual(content);
      }),
      { numRuns: scaled(1000) },
    );
  });

  it('keeps the line and column of every tag', () => {
    fc.assert(
      fc.property(
        randomFile.map(({ xml }) => withIDs(xml)),
        (xml) => {
          const ids = new Set([...xml.matchAll(/ id="(b\d+)"/g)].map(([, id]) => id!));
          expect(placesOf(textOf(xml), ids)).toEqual(placesOf(xml, ids));
        },
      ),
      { numRuns: scaled(500) },
    );
  });

  it('is refused with the line and column of a reference that XML does not have, wherever it is', () => {
    const wrong = fc.constantFrom('&', '&#0;', '&auml;', '&#xD83D;&#xDE00;', '&#x110000;', '&AMP;', '&#X41;', '&lt ');
    const marked = randomFile.filter(({ xml }) => xml.includes('Q'));
    fc.assert(
      fc.property(marked, wrong, ({ xml }, reference) => {
        const lines = xml.slice(0, xml.indexOf('Q')).split(/\r\n|\r|\n/);
        expect(visit(xml.replace('Q', `${reference} `), { open: ignore, close: ignore, text: ignore })).toEqual({
          reason: 'MALFORMED',
          message: expect.stringContaining(`at line ${lines.length}, column ${lines.at(-1)!.length + 1}: `),
        });
      }),
      { numRuns: scaled(500) },
    );
  });
});

const ignore = () => undefined;

describe('a reference', () => {
  it.each([
    ['&#0;', '"&#0;" refers to a character that XML does not allow'],
    ['&#x1F;', '"&#x1F;" refers to a character that XML does not allow'],
    ['&#xD83D;', '"&#xD83D;" refers to a character that XML does not allow'],
    ['&#xFFFE;', '"&#xFFFE;" refers to a character that XML does not allow'],
    ['&#x110000;', '"&#x110000;" refers to a character that XML does not allow'],
    [`&#${'9'.repeat(1000)};`, `"&#${'9'.repeat(38)}..." refers to a character that XML does not allow`],
    [
      '&auml;',
      'the entity &auml; is not declared. Write the character itself, or a reference to its number, such as &#xE4;.',
    ],
    [
      '&AMP;',
      'the entity &AMP; is not declared. Write the character itself, or a reference to its number, such as &#xE4;.',
    ],
    [
      '&#X41;',
      '"&#" does not begin a character reference. Write its number in decimal (&#228;) or hexadecimal (&#xE4;) digits.',
    ],
    [
      '&#x41',
      '"&#" does not begin a character reference. Write its number in decimal (&#228;) or hexadecimal (&#xE4;) digits.',
    ],
    ['a & b', '"&" does not begin a reference. Write &amp; for the character.'],
    ['&amp', '"&" does not begin a reference. Write &amp; for the character.'],
  ])('%s is refused with what is wrong, in texts and attributes', (written, message) => {
    const column = written.indexOf('&') + 4;
    const at = `The file is not well-formed XML at line 2, column`;
    expect(textOf(`<a>\r\n<b>${written}</b></a>`)).toBe(`${at} ${column}: ${message}`);
    expect(textOf(`<a>\r\n<b c="${written}"/></a>`)).toBe(`${at} ${column + 3}: ${message}`);
  });

  it('in a comment, a processing instruction, or a CDATA section is none', () => {
    const xml = '<a><!-- &#0; & --><?q &auml; ?><![CDATA[&#xD800;]]></a>';
    expect(textOf(xml)).toBe(xml);
    expect(contentOf(xml)).toEqual([{}, '&#xD800;', null]);
  });

  it('of five decimal digits above U+FFFF is read too', () => {
    expect(contentOf('<a b="&#65536;">&#99999;</a>')).toEqual([{ b: '\u{10000}' }, '\u{1869F}', null]);
  });

  it('in a DOCTYPE is not checked: the declaration is refused', () => {
    expect(contentOf('<!DOCTYPE a [<!ENTITY b "&#0;&c;"> %d;]><a>&b;</a>')).toEqual(['DOCTYPE not allowed']);
  });
});

describe('a file', () => {
  it.each(['', 'a & b', '<a', '<a b="\n', '<a>&#x1F600;<!-- ', '<![CDATA[&', '<? &', '<!'])(
    'that ends in the middle is refused by the parser: %s',
    (xml) => {
      expect(contentOf(xml)).toEqual([expect.stringContaining('The file is not well-formed XML')]);
    },
  );

  it.each([
    ['line ends', '\r'],
    ['references', '&#x1F600;'],
    ['numbers that do not end', `&amp;#${'1'.repeat(1000)}`],
    ['comments', '<!---->&lt;'],
    ['CDATA sections', '<![CDATA[\r\n]]>'],
  ])('of megabytes of %s is read in one pass', (_, part) => {
    const content = '<!---->' + part.repeat(100);
    const xml = `<a>${content.repeat(Math.floor(3_000_000 / content.length))}</a>`;
    expect(contentOf(xml)).toHaveLength(3);
  });

  it('gets at most twice as long, from attributes of many lines', () => {
    const xml = `<a>${`<b c="\n${'x'.repeat(100)}"/>`.repeat(30_000)}</a>`;
    expect(textOf(xml).length).toBeLessThan(2 * xml.length);
  });
});
