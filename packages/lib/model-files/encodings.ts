/** Encodings by their names, and decoding that fails where bytes have no meaning. Runs in browsers too. */

export interface Encoding {
  /** For messages. */
  name: string;
  /** @throws if the bytes are invalid; with `isPrefix`, an incomplete character at the end is valid */
  decode(bytes: Uint8Array, isPrefix?: boolean): string;
  /** Bytes of one unit: 1, 2 or 4. */
  width: number;
}

export const UTF_8 = ofDecoder('UTF-8', 'utf-8', 1);
export const UTF_16LE = ofDecoder('UTF-16LE', 'utf-16le', 2);
export const UTF_16BE = ofDecoder('UTF-16BE', 'utf-16be', 2);
export const UTF_32LE = ofUtf32('UTF-32LE', true);
export const UTF_32BE = ofUtf32('UTF-32BE', false);

const US_ASCII: Encoding = {
  name: 'US-ASCII',
  width: 1,
  decode(bytes) {
    if (bytes.some((byte) => byte > 0x7f)) throw new TypeError('not ASCII');
    return UTF_8.decode(bytes);
  },
};

/** Names that `TextDecoder` does not know, or takes for an encoding with more characters. */
const BY_NAME: ReadonlyMap<string, Encoding> = new Map([
  ...['us-ascii', 'ascii', 'ansi_x3.4-1968', 'iso646-us', 'iso-ir-6', 'cp367'].map((name): [string, Encoding] => [
    name,
    US_ASCII,
  ]),
  ['utf-32le', UTF_32LE],
  ['utf-32be', UTF_32BE],
]);

/** Undefined for a name that is unknown. `UTF-16` and `UTF-32` without an order of bytes are those of most machines. */
export function encodingNamed(name: string): Encoding | undefined {
  // Java writes ISO8859_1.
  const label = name
    .trim()
    .toLowerCase()
    .replace(/^iso-?8859_(\d+)$/, 'iso-8859-$1');
  if (label === 'utf-32') return UTF_32LE;
  // Browsers know them, but neither is an encoding of text.
  if (label === 'x-user-defined' || label === 'replacement') return undefined;
  const known = BY_NAME.get(label);
  if (known) return known;
  try {
    const { encoding } = new TextDecoder(label);
    return ofDecoder(name.trim(), encoding, encoding.startsWith('utf-16') ? 2 : 1);
  } catch {
    return undefined;
  }
}

/** Whether two names mean the same encoding: `UTF-16` is either order of bytes, and likewise `UTF-32`. */
export function agrees(declared: string, { name }: Encoding): boolean {
  const encoding = encodingNamed(declared);
  if (!encoding) return false;
  const hasOrder = /(?:le|be)$/i.test(declared.trim());
  if (!hasOrder && encoding.width > 1) return name.startsWith(`UTF-${encoding.width * 8}`);
  return canonical(encoding.name) === canonical(name);
}

const canonical = (name: string) =>
  name
    .toLowerCase()
    .replace(/^utf-?8$/, 'utf-8')
    .replace('_', '-');

function ofDecoder(name: string, label: string, width: number): Encoding {
  return {
    name,
    width,
    decode(bytes, isPrefix = false) {
      const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
      const text = decoder.decode(bytes, { stream: isPrefix });
      return label === 'windows-1252' ? text.replaceAll(C1, (control) => asWindows1252(control)) : text;
    },
  };
}

const C1 = /[\u0080-\u009f]/g;
/** Bytes 80 to 9F of windows-1252. Some releases of Node.js decode them as the control characters of ISO 8859-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function asWindows1252(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - 0x80]!;
}

/** `TextDecoder` has no UTF-32. */
function ofUtf32(name: string, isLittleEndian: boolean): Encoding {
  return {
    name,
    width: 4,
    decode(bytes, isPrefix = false) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const whole = bytes.byteLength - (bytes.byteLength % 4);
      if (whole !== bytes.byteLength && !isPrefix) throw new TypeError('an incomplete character at the end');
      const parts: string[] = [];
      for (let at = 0; at < whole; at += 4) {
        const code = view.getUint32(at, isLittleEndian);
        if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new TypeError('not a character');
        parts.push(String.fromCodePoint(code));
      }
      return parts.join('');
    },
  };
}
