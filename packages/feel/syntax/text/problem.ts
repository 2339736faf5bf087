/** A syntax error with its position. */
import { positionOf } from './text.js';

/** `LENGTH`: the text is too long to be read. */
type SyntaxCode = 'SYNTAX' | 'LENGTH';

export interface SyntaxProblem {
  code: SyntaxCode;
  message: string;
  from: number;
  to: number;
  line: number;
  column: number;
}

/** Carries a problem to the top of the parser. */
export class SyntaxFault {
  constructor(
    readonly message: string,
    readonly from: number,
    readonly to: number,
    readonly code: SyntaxCode = 'SYNTAX',
  ) {}

  /** The problem with its line and column in the text. */
  toProblem(text: string): SyntaxProblem {
    const { code, message, from, to } = this;
    return { code, message, from, to, ...positionOf(text, from) };
  }
}
