/** A syntax error with its position. */
import { positionOf } from './text.js';

export interface SyntaxProblem {
  code: 'SYNTAX';
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
  ) {}

  /** The problem with its line and column in the text. */
  toProblem(text: string): SyntaxProblem {
    const { message, from, to } = this;
    return { code: 'SYNTAX', message, from, to, ...positionOf(text, from) };
  }
}
