/** The place in a text up to which it has been read. */
import type { Span } from '../errors.js';
import { SyntaxFault } from './problem.js';
import { tokenAt, wordAt, type Token } from './token.js';

const MOST_TOKENS = 2000;
/** So deep that no one writes it, and far from what a stack holds. */
const DEEPEST = 400;

/** What a message shows of the text. */
const LONGEST_SHOWN = 60;
const DESCRIPTIONS: Readonly<Record<Exclude<Token['kind'], 'end'>, string>> = {
  word: 'A name', number: 'A number', string: 'A string', temporal: 'A date, time or duration', backtick: 'A name in backticks', sign: 'A sign',
};

export class Cursor {
  /** The first token that is not read yet. */
  token: Token;
  /** Where the last token that was read ends. */
  end = 0;
  #count = 0;
  #depth = 0;

  constructor(readonly text: string) {
    this.token = tokenAt(text, 0);
  }

  advance(): Token {
    const { token } = this;
    this.#count += 1;
    if (this.#count > MOST_TOKENS) {
      throw new SyntaxFault(`The expression has more than ${MOST_TOKENS} words and signs. Divide it, or pass large lists in as variables.`, token.from, token.to);
    }
    this.jump(token.to);
    return token;
  }

  /** The token behind the next one. */
  peek(): Token {
    return tokenAt(this.text, this.token.to);
  }

  /** Reads up to an offset, whatever tokens are before it. */
  jump(offset: number): void {
    this.end = offset;
    this.token = tokenAt(this.text, offset);
  }

  /** Reads a word inside of a name, which may begin with a digit. */
  continueWord(): string {
    const { from } = this.advance();
    const word = wordAt(this.text, from);
    this.jump(from + word.length);
    return word;
  }

  /** Goes back when the part gives `undefined`. */
  attempt<T>(part: () => T | undefined): T | undefined {
    const { token, end } = this;
    const count = this.#count;
    const result = part();
    if (result === undefined) {
      this.token = token;
      this.end = end;
      this.#count = count;
    }
    return result;
  }

  /** Whether a sign or word comes next. */
  is(text: string): boolean {
    return this.token.text === text && (this.token.kind === 'sign' || this.token.kind === 'word');
  }

  /** Whether the next token is not on the line of the one before it. */
  beginsLine(): boolean {
    return this.text.slice(this.end, this.token.from).includes('\n');
  }

  accept(text: string): boolean {
    const found = this.is(text);
    if (found) this.advance();
    return found;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.refuse();
  }

  /** From an offset to what was read last. */
  since(from: number): Span {
    return [from, this.end];
  }

  /** Reads a part that may hold others of its kind. */
  nested<T>(part: () => T): T {
    if (this.#depth === DEEPEST) throw new SyntaxFault(`The expression is nested more than ${DEEPEST} levels deep. Move parts of it into variables.`, this.token.from, this.token.to);
    this.#depth += 1;
    const result = part();
    this.#depth -= 1;
    return result;
  }

  /** The next token does not belong here. */
  refuse(hint = ''): never {
    const { kind, text, from, to } = this.token;
    if (kind === 'end') throw new SyntaxFault('The expression ends before it is complete.', this.text.length, this.text.length);
    if (text === '==') throw new SyntaxFault('"==" is not a FEEL operator. Write "=" to compare.', from, to);
    const found = kind === 'string' || kind === 'temporal' || text.length > LONGEST_SHOWN ? DESCRIPTIONS[kind] : `"${text}"`;
    throw new SyntaxFault(`${found} is not expected here.${hint}`, from, to);
  }
}
