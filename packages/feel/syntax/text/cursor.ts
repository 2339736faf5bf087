/** The position in a text up to which it has been parsed. */
import type { Span } from '../../errors.js';
import { SyntaxFault } from './problem.js';
import { tokenAt, wordAt, type Token } from './token.js';

const MAX_TOKENS = 2000;
/** Deeper than any realistic expression, and far below the stack limit. */
const DEEPEST = 400;

/** Description of a token for messages. */
const MAX_SHOWN_LENGTH = 60;
const DESCRIPTIONS: Readonly<Record<Exclude<Token['kind'], 'end'>, string>> = {
  word: 'A name',
  number: 'A number',
  string: 'A string',
  temporal: 'A date, time or duration',
  backtick: 'A name in backticks',
  sign: 'A sign',
};

export class Cursor {
  /** The first unread token. */
  token: Token;
  /** End of the last token read. */
  end = 0;
  #count = 0;
  #depth = 0;

  constructor(readonly text: string) {
    this.token = tokenAt(text, 0);
  }

  advance(): Token {
    const { token } = this;
    this.#count += 1;
    if (this.#count > MAX_TOKENS) {
      throw new SyntaxFault(
        `The expression has more than ${MAX_TOKENS} tokens. Split it, or pass large lists in as variables.`,
        token.from,
        token.to,
      );
    }
    this.jump(token.to);
    return token;
  }

  /** The token after the next one. */
  peek(): Token {
    return tokenAt(this.text, this.token.to);
  }

  /** Skips to an offset, regardless of the tokens before it. */
  jump(offset: number): void {
    this.end = offset;
    this.token = tokenAt(this.text, offset);
  }

  /** Reads a word inside a name, which may start with a digit. */
  continueWord(): string {
    const { from } = this.advance();
    const word = wordAt(this.text, from);
    this.jump(from + word.length);
    return word;
  }

  /** Backtracks if the part returns `undefined`. */
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

  /** Whether a given sign or word comes next. */
  is(text: string): boolean {
    return this.token.text === text && (this.token.kind === 'sign' || this.token.kind === 'word');
  }

  /** Whether the next token is on a later line than the one before it. */
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

  /** The range from an offset to the last token read. */
  since(from: number): Span {
    return [from, this.end];
  }

  /** Reads a part that may contain others of its kind. */
  nested<T>(part: () => T): T {
    if (this.#depth === DEEPEST)
      throw new SyntaxFault(
        `The expression is nested more than ${DEEPEST} levels deep. Move parts of it into variables.`,
        this.token.from,
        this.token.to,
      );
    this.#depth += 1;
    const result = part();
    this.#depth -= 1;
    return result;
  }

  /** Reports that the next token is not valid here. */
  refuse(hint = ''): never {
    const { kind, text, from, to } = this.token;
    if (kind === 'end') throw new SyntaxFault('The expression is incomplete.', this.text.length, this.text.length);
    if (text === '==') throw new SyntaxFault('"==" is not a FEEL operator. Write "=" to compare.', from, to);
    const found =
      kind === 'string' || kind === 'temporal' || text.length > MAX_SHOWN_LENGTH ? DESCRIPTIONS[kind] : `"${text}"`;
    throw new SyntaxFault(`${found} is not expected here.${hint}`, from, to);
  }
}
