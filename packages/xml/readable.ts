/**
 * Text that saxen reads as XML 1.0 says. By itself it keeps line ends and the white space of attributes as written, corrupts
 * references above U+FFFF, and accepts references to nothing. Tags keep their lines and columns, for messages.
 */
import { checkText } from './check-text.js';
import { readableReferences } from './references.js';
import { malformedAt, orRefusal, Refused, type Refusal } from './refusal.js';

export interface ReadableXml {
  readonly text: string;
}

/** The file as saxen may read it, or why it is refused. It may still not be well-formed. */
export function readable(xml: string): ReadableXml | Refusal {
  return checkText(xml) ?? orRefusal(() => ({ text: new Pass(withLineFeeds(xml)).run() }));
}

/** XML 1.0 section 2.11. */
export function withLineFeeds(xml: string): string {
  return xml.includes('\r') ? xml.split(/\r\n?/).join('\n') : xml;
}

/** An attribute without them is read as written. */
const SPECIAL = /[\t\n&]/;
const [QUOTE, APOSTROPHE, END] = ['"', "'", '>'].map((character) => character.charCodeAt(0));

/**
 * Finds tags and texts exactly as saxen does, also in files that are not well-formed: what would be a tag only here, or only
 * there, would be read as written. It ends where saxen refuses the file.
 */
class Pass {
  readonly #xml: string;
  /** The text so far, without anything if nothing has changed. */
  readonly #parts: string[] = [];
  #copied = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  run(): string {
    const xml = this.#xml;
    for (let start = xml.indexOf('<'); start !== -1;) {
      const end = this.#endOfMarkup(start);
      if (end === undefined) break;
      start = xml.indexOf('<', end);
      this.#text(end, start === -1 ? xml.length : start);
    }
    return this.#parts.length === 0 ? xml : `${this.#parts.join('')}${xml.slice(this.#copied)}`;
  }

  /** Undefined if it has none, and for declarations: saxen refuses both. */
  #endOfMarkup(start: number): number | undefined {
    const xml = this.#xml;
    if (xml.startsWith('<!--', start)) return this.#endOf('-->', start);
    if (xml.startsWith('<![CDATA[', start)) return this.#endOf(']]>', start);
    if (xml.startsWith('<?', start)) return this.#endOf('?>', start);
    return xml.startsWith('<!', start) ? undefined : this.#tag(start);
  }

  #endOf(mark: string, start: number): number | undefined {
    const index = this.#xml.indexOf(mark, start);
    return index === -1 ? undefined : index + mark.length;
  }

  #tag(start: number): number | undefined {
    let quote: number | undefined;
    let value = start;
    for (let index = start + 1; index < this.#xml.length; index += 1) {
      const character = this.#xml.charCodeAt(index);
      if (quote === undefined) {
        if (character === END) return index + 1;
        if (character !== QUOTE && character !== APOSTROPHE) continue;
        quote = character;
        value = index + 1;
      } else if (character === quote) {
        this.#attribute(value, index);
        quote = undefined;
      }
    }
    return undefined;
  }

  /** Section 3.3.3. Line breaks move behind the closing quote, and spaces keep the column of what follows. */
  #attribute(start: number, end: number): void {
    const value = this.#xml.slice(start, end);
    if (!SPECIAL.test(value)) return;
    const read = this.#references(value, start).replace(/[\t\n]/g, ' ');
    const lastBreak = value.lastIndexOf('\n');
    if (lastBreak === -1) return this.#replace(start, end, read);
    const breaks = '\n'.repeat(value.split('\n').length - 1);
    this.#replace(start, end + 1, `${read}${this.#xml[end]!}${breaks}${' '.repeat(value.length - lastBreak)}`);
  }

  #text(start: number, end: number): void {
    this.#replace(start, end, this.#references(this.#xml.slice(start, end), start));
  }

  #references(text: string, start: number): string {
    return readableReferences(text, (index, reason) => {
      throw new Refused(malformedAt(this.#placeOf(start + index), reason));
    });
  }

  #replace(start: number, end: number, text: string): void {
    if (text.length === end - start && this.#xml.startsWith(text, start)) return;
    this.#parts.push(this.#xml.slice(this.#copied, start), text);
    this.#copied = end;
  }

  #placeOf(offset: number): { line: number; column: number } {
    const before = this.#xml.slice(0, offset).split('\n');
    return { line: before.length - 1, column: before.at(-1)!.length };
  }
}
