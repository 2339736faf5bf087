import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declaredAsUtf8, lostCharacters } from '@perdure/lib/model-files/declaration.js';
import { decodeFile, UndecodableFile } from '@perdure/lib/model-files/decode.js';

const latin = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (Uint8Array | number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const declared = (encoding: string, text = 'Mahngebühr') =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<a name="${text}"/>`;

function utf16(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}

function utf32(text: string, isLittle: boolean): Uint8Array {
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
  const view = new DataView(new ArrayBuffer(codes.length * 4));
  codes.forEach((code, at) => view.setUint32(at * 4, code, isLittle));
  return new Uint8Array(view.buffer);
}

const readable = declared('UTF-8');

describe('a file is decoded', () => {
  it.each([
    ['UTF-8 without a declaration', utf8('<a name="Mahngebühr"/>'), '<a name="Mahngebühr"/>'],
    ['UTF-8', utf8(readable), readable],
    ['utf8', utf8(declared('utf8')), declared('utf8')],
    ['UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], utf8(readable)), readable],
    ['windows-1252', latin(declared('windows-1252')), readable],
    ['cp1252, in single quotes', latin(declared('cp1252').replaceAll('"', "'")), readable.replaceAll('"', "'")],
    ['ISO-8859-1', latin(declared('ISO-8859-1')), readable],
    ['latin1', latin(declared('latin1')), readable],
    ['ISO8859_1 of Java', latin(declared('ISO8859_1')), readable],
    ['ISO-8859-15', latin(declared('ISO-8859-15', '\u00a4')), declared('UTF-8', '€')],
    ['windows-1252, bytes 80 to 9F', latin(declared('windows-1252', '\u0080\u0099')), declared('UTF-8', '€™')],
    ['US-ASCII', latin(declared('US-ASCII', 'fee')), declared('UTF-8', 'fee')],
    ['windows-1251', latin(declared('windows-1251', '\u00c6')), declared('UTF-8', 'Ж')],
    [
      'Shift_JIS',
      bytes(latin(declared('Shift_JIS', '').slice(0, -3)), [0x93, 0xfa], latin('"/>')),
      declared('UTF-8', '日'),
    ],
    ['UTF-16LE with a mark', bytes([0xff, 0xfe], utf16(declared('UTF-16'), true)), readable],
    ['UTF-16BE with a mark', bytes([0xfe, 0xff], utf16(declared('UTF-16'), false)), readable],
    ['UTF-16LE without a mark', utf16(declared('UTF-16'), true), readable],
    ['UTF-16BE without a mark', utf16(declared('utf-16be'), false), readable],
    ['UTF-16LE without mark and declaration', utf16('<a name="ü😀"/>', true), '<a name="ü😀"/>'],
    ['UTF-32LE with a mark', bytes([0xff, 0xfe, 0, 0], utf32(declared('UTF-32', '😀'), true)), declared('UTF-8', '😀')],
    ['UTF-32BE without a mark', utf32(declared('UTF-32', '😀'), false), declared('UTF-8', '😀')],
    ['JSON in UTF-8', utf8('{"a": "ü"}'), '{"a": "ü"}'],
    ['JSON in UTF-16BE', utf16('{"a": "ü"}', false), '{"a": "ü"}'],
    ['JSON in UTF-32LE', utf32('[1]', true), '[1]'],
    ['ASCII that declares UTF-16', utf8(declared('utf-16', 'fee')), declared('UTF-8', 'fee')],
    ['an empty file', new Uint8Array(), ''],
    ['one letter', utf8('1'), '1'],
  ])('%s', (_, given, text) => expect(decodeFile(given, 'a.bpmn')).toBe(text));
});

describe('a file is refused, with the place and the remedy', () => {
  it.each([
    [
      'latin1 without a declaration',
      latin('<a>\n<b name="gebühr"/>'),
      'a.bpmn is not UTF-8: byte 0xFC at offset 16 (line 2) is invalid. Save it as UTF-8, or declare its encoding in the first line: <?xml version="1.0" encoding="windows-1252"?>.',
    ],
    [
      'JSON in latin1',
      latin('{"a": "ü"}'),
      'a.bpmn is not UTF-8: byte 0xFC at offset 7 (line 1) is invalid. Save it as UTF-8.',
    ],
    [
      'latin1 that declares UTF-8',
      latin(declared('UTF-8')),
      'a.bpmn is declared as UTF-8, but byte 0xFC at offset 55 (line 2) is invalid. Save it as UTF-8, or correct the encoding in its first line.',
    ],
    [
      'more than ASCII that declares ASCII',
      latin(declared('us-ascii')),
      'a.bpmn is declared as US-ASCII, but byte 0xFC at offset 58 (line 2) is invalid. Save it as UTF-8, or correct the encoding in its first line.',
    ],
    [
      'an unknown encoding',
      latin(declared('IBM850')),
      'a.bpmn declares the encoding "IBM850", which is unknown. Save it as UTF-8, with encoding="UTF-8" in its first line.',
    ],
    [
      'a mark of UTF-8 and a declaration of windows-1252',
      bytes([0xef, 0xbb, 0xbf], utf8(declared('windows-1252'))),
      'a.bpmn begins with the byte order mark of UTF-8, but declares the encoding "windows-1252" in its first line. Save it as UTF-8, with encoding="UTF-8" there.',
    ],
    [
      'a mark of UTF-16LE and a declaration of UTF-16BE',
      bytes([0xff, 0xfe], utf16(declared('UTF-16BE'), true)),
      'a.bpmn begins with the byte order mark of UTF-16LE, but declares the encoding "UTF-16BE" in its first line. Save it as UTF-8, with encoding="UTF-8" there.',
    ],
    [
      'bytes of UTF-16 and a declaration of UTF-8',
      utf16(declared('UTF-8'), true),
      'a.bpmn has bytes of UTF-16LE, but declares the encoding "UTF-8" in its first line. Save it as UTF-8, with encoding="UTF-8" there.',
    ],
    [
      'bytes of UTF-8 and a declaration of UTF-16',
      utf8(declared('utf-16')),
      'a.bpmn has one byte per letter, but declares the encoding "utf-16" in its first line. Save it as UTF-8, with encoding="UTF-8" there.',
    ],
    [
      'UTF-16 with half a surrogate',
      bytes([0xff, 0xfe], utf16('<a>\ud83d</a>', true)),
      'a.bpmn is not UTF-16LE: byte 0x00 at offset 11 is invalid.',
    ],
    [
      'UTF-16 with half a letter',
      bytes(utf16('<a>', true), [0x41]),
      'a.bpmn is not UTF-16LE: it ends inside a character.',
    ],
    ['UTF-8 that is cut off', utf8('<a>ü').subarray(0, 4), 'a.bpmn is not UTF-8: it ends inside a character.'],
    [
      'UTF-32 beyond Unicode',
      bytes(utf32('<', true), [0, 0, 0x11, 0]),
      'a.bpmn is not UTF-32LE: byte 0x00 at offset 7 is invalid.',
    ],
    ['EBCDIC', bytes([0x4c, 0x6f, 0xa7, 0x94]), 'a.bpmn is in EBCDIC, which is not supported. Save it as UTF-8.'],
  ])('%s', (_, given, message) => {
    expect(() => decodeFile(given, 'a.bpmn')).toThrow(UndecodableFile);
    expect(() => decodeFile(given, 'a.bpmn')).toThrow(message);
  });

  it('even a file of 4 MiB that is wrong at its end', () => {
    const large = new Uint8Array(4 * 1024 * 1024 + 1).fill(0x78);
    large[large.length - 1] = 0xfc;
    expect(() => decodeFile(large, 'a.bpmn')).toThrow('at offset 4194304 (line 1)');
  });
});

it('every text survives every encoding that has all characters', () => {
  const name = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\0"<>'&\uFEFF]|\p{Cs}/gu, ''));
  fc.assert(
    fc.property(name, fc.boolean(), (text, isLittle) => {
      const expected = declared('UTF-8', text);
      expect(decodeFile(utf8(expected), 'a')).toBe(expected);
      expect(decodeFile(utf16(declared('UTF-16', text), isLittle), 'a')).toBe(expected);
      expect(decodeFile(utf32(declared('UTF-32', text), isLittle), 'a')).toBe(expected);
    }),
  );
});

it('any bytes are decoded without a replacement character, or refused', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 64 }),
      fc.constantFrom('', 'UTF-8', 'windows-1252', 'gb18030'),
      (tail, name) => {
        const given = bytes(name === '' ? [] : latin(`<?xml version="1.0" encoding="${name}"?>`), tail);
        try {
          const text = decodeFile(given, 'a');
          if (text.includes('\uFFFD'))
            expect(Buffer.from(given).toString('latin1')).toMatch(/\u00ef\u00bf\u00bd|\u00fd|\u00841\u00a47/);
        } catch (error) {
          expect(error).toBeInstanceOf(UndecodableFile);
        }
      },
    ),
  );
});

describe('a text that has been decoded', () => {
  it('declares UTF-8 instead of any other encoding, and changes in nothing else', () => {
    expect(declaredAsUtf8(declared('windows-1252'))).toBe(declared('UTF-8'));
    for (const text of ['<a/>', '<?xml version="1.0"?><a/>', declared('utf-8'), '{"encoding":"x"}', ''])
      expect(declaredAsUtf8(text)).toBe(text);
  });

  it('has certainly lost characters if it has the replacement character and declares another encoding', () => {
    expect(lostCharacters(declared('windows-1252', 'Geb\uFFFDhr'))).toEqual({
      certain: true,
      message:
        'The text has the replacement character U+FFFD at offset 58 (line 2) and declares the encoding "windows-1252": characters were lost because the file was decoded as something else. Decode it as windows-1252, or save it as UTF-8.',
    });
    expect(lostCharacters(declared('UTF-8', '\uFFFD'))).toMatchObject({ certain: false });
    expect(lostCharacters('\uFFFD')).toMatchObject({ certain: false });
    expect(lostCharacters(declared('windows-1252'))).toBeUndefined();
  });
});
