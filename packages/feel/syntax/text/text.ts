/** Positions in a text, and the content of string literals. */

/** Line and column of an offset, both from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' };

/**
 * The value of a string literal with its quotes. An unknown escape is kept as written, so that `"\d"` can be a pattern.
 */
export function unquote(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(
      /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))/gs,
      (escape: string, short?: string, long?: string, sign?: string) => {
        if (sign !== undefined) return Object.hasOwn(ESCAPES, sign) ? (ESCAPES[sign] ?? escape) : escape;
        const code = Number.parseInt(short ?? long ?? '0', 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
      },
    );
}
