/** Breaks a label into lines, never inside a word. */

export interface Layout {
  lines: string[];
  fontSize: number;
}

export interface Room {
  width: number;
  /** Absent for a label that can be as high as its text. */
  height?: number | undefined;
  /** Larger than the smallest size, which a label takes only if a word would not fit. */
  fontSize: number;
  minFontSize: number;
  measure: Measure;
}

/** The width of a text in a font size. */
export type Measure = (text: string, fontSize: number) => number;

/** Longer labels end with an ellipsis: drawing them would block the browser. */
const MAX_CHARACTERS = 1_000;
const ELLIPSIS = '…';
const SOFT_HYPHEN = '\u00AD';

/** White space between words, without the spaces that forbid a break. */
const GAP = /[^\S\u00A0\u202F]+/;
/** The ends of the parts of a compound: hyphens, slashes, underscores, dots, and capitals within a name. */
const JOINT = /(?<=[-‐–—/_.:\u00AD])(?=[^-‐–—/_.:\u00AD])|(?<=\p{Ll})(?=\p{Lu})/u;
/** Scripts without spaces between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A part that is never broken. */
interface Part {
  text: string;
  /** Whether a space separates it from the part before it. */
  isWord: boolean;
}

/** The height of a line in font sizes. */
const LINE_HEIGHT = 1.2;

/**
 * Words that are too long are broken at their joints. If a part is still too long, or there are too many lines, the font shrinks.
 * Text that does not fit in the smallest font ends with an ellipsis.
 */
export function layOut(label: string, room: Room): Layout {
  const { width, measure } = room;
  const text = label.length > MAX_CHARACTERS ? `${label.slice(0, MAX_CHARACTERS)}${ELLIPSIS}` : label;
  const paragraphs = text
    .split(/\r?\n/)
    .map((line) => wordsOf(line).flatMap((word) => partsOf(word, (part) => measure(part, room.fontSize) <= width)));
  const inSize = (fontSize: number): Measured => ({ width, measure: (part) => measure(part, fontSize) });
  for (let fontSize = fittingSize(paragraphs.flat(), room); ; fontSize -= 1) {
    const lines = paragraphs.flatMap((parts) => linesOf(parts, inSize(fontSize)));
    const most = Math.max(1, Math.floor((room.height ?? Infinity) / (fontSize * LINE_HEIGHT)));
    if (lines.length <= most) return { fontSize, lines };
    if (fontSize <= room.minFontSize) return { fontSize, lines: cut(lines, most, inSize(fontSize)) };
  }
}

/** The first lines. The last of them says that there is more. */
function cut(lines: readonly string[], most: number, room: Measured): string[] {
  const last = `${lines[most - 1]} ${lines[most]}${ELLIPSIS}`;
  return [...lines.slice(0, most - 1), shorten(last, room)];
}

/** The width of the longest word. */
export function longestWord(label: string, measure: (text: string) => number): number {
  return Math.max(0, ...wordsOf(label.slice(0, MAX_CHARACTERS)).map(measure));
}

function wordsOf(text: string): string[] {
  return text.split(GAP).filter((word) => word !== '');
}

function partsOf(word: string, fits: (text: string) => boolean): Part[] {
  if (fits(word)) return [{ text: word, isWord: true }];
  return jointsOf(word).map((text, index) => ({ text, isWord: index === 0 }));
}

function jointsOf(word: string): string[] {
  if (!WITHOUT_SPACES.test(word)) return word.split(JOINT);
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(word)].map(({ segment }) => segment);
}

function fittingSize(parts: readonly Part[], { width, fontSize, minFontSize, measure }: Room): number {
  const longest = Math.max(0, ...parts.map(({ text }) => measure(text, fontSize)));
  if (longest <= width) return fontSize;
  return Math.max(minFontSize, Math.floor((fontSize * width) / longest));
}

interface Measured {
  width: number;
  measure(text: string): number;
}

function linesOf(parts: readonly Part[], room: Measured): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const { text, isWord } of parts) {
    const longer: string = line === undefined ? text : `${line}${isWord ? ' ' : ''}${text}`;
    if (line !== undefined && room.measure(longer) > room.width) {
      lines.push(line);
      line = text;
    } else line = longer;
  }
  return [...lines, line ?? ''].map((one) => shorten(withHyphen(one), room));
}

/** A soft hyphen is visible only at the end of a line. */
function withHyphen(line: string): string {
  return line.replace(/\u00AD$/, '-').replaceAll(SOFT_HYPHEN, '');
}

function shorten(line: string, { width, measure }: Measured): string {
  if (measure(line) <= width) return line;
  const characters = [...line];
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(`${characters.slice(0, middle).join('')}${ELLIPSIS}`) <= width) fits = middle;
    else tooMany = middle;
  }
  return `${characters.slice(0, fits).join('')}${ELLIPSIS}`;
}
