/** Bodies of deliveries as values for FEEL. */
import { describe, expect, it } from 'vitest';
import { contentOf, excerpt, readContent } from '../../../api/hooks/content.js';

const read = (content: 'json' | 'form' | 'text', text: string) => readContent(content, Buffer.from(text));

describe('the media type', () => {
  it.each([
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/cloudevents+json', 'json'],
    ['application/x-www-form-urlencoded', 'form'],
    ['text/plain;charset="UTF-8"', 'text'],
  ])('%s is read as %s', (mediaType, content) => {
    expect(contentOf(mediaType)).toBe(content);
  });

  it.each([null, '', 'application/xml', 'application/json; charset=latin1', 'text/html', 'application/jsonp'])(
    '%s is not read',
    (mediaType) => {
      expect(contentOf(mediaType)).toBeUndefined();
    },
  );
});

describe('a body', () => {
  it('of JSON keeps its value', () => {
    expect(read('json', '{"a":[1,null,"x"]}')).toEqual({ ok: true, value: { a: [1, null, 'x'] } });
  });

  it.each([
    ['that is not JSON', '{"a":', 'not valid JSON'],
    ['nested 100,000 levels deep', '['.repeat(100_000), 'nested more than 64 levels deep'],
    ['with a number beyond a double', '{"a":1e400}', 'round trip'],
    ['with a name that is repeated', '{"a":1,"a":2}', 'repeated'],
  ])('of JSON %s is refused', (_, text, problem) => {
    const found = read('json', text);
    expect(found.ok ? '' : found.problem).toContain(problem);
  });

  it('of a form has a list for a name that is repeated', () => {
    expect(read('form', 'a=1&b=x+y&b=%C3%BC')).toEqual({ ok: true, value: { a: '1', b: ['x y', 'ü'] } });
  });

  it('of a form with more than 50,000 names is refused', () => {
    const text = Array.from({ length: 50_001 }, (_, index) => `n${index}`).join('&');
    expect(read('form', text).ok).toBe(false);
  });

  it('of text is the text', () => {
    expect(read('text', 'hello')).toEqual({ ok: true, value: 'hello' });
  });

  it.each(['json', 'form', 'text'] as const)('of %s that is not UTF-8 is refused', (content) => {
    expect(readContent(content, Buffer.from([0x22, 0xff, 0x22])).ok).toBe(false);
  });

  it('that is empty is null', () => {
    expect(readContent('json', undefined)).toEqual({ ok: true, value: null });
  });
});

describe('the excerpt of a failed delivery', () => {
  it.each([
    ['characters of several bytes', Buffer.from('ü'.repeat(60_000))],
    ['bytes that are not characters', Buffer.alloc(1024 * 1024, 0xff)],
    ['zeros, which Postgres cannot store', Buffer.alloc(1024 * 1024)],
  ])('takes at most 64 KiB of %s', (_, bytes) => {
    const text = excerpt(bytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(64 * 1024 - 4);
    expect(text).not.toContain('\0');
  });

  it('is the whole of a small body', () => {
    expect(excerpt(Buffer.from('{"a":'))).toBe('{"a":');
    expect(excerpt(undefined)).toBe('');
  });
});
