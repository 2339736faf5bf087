/** What is wrong with a text that is not FEEL, and where. */
import { positionOf } from './text.js';

export interface SyntaxProblem {
  code: 'SYNTAX';
  message: string;
  from: number;
  to: number;
  line: number;
  column: number;
}

/** How a problem travels to the top of the parser. */
export class SyntaxFault {
  constructor(
    readonly message: string,
    readonly from: number,
    readonly to: number,
  ) {}

  /** The problem with the line and column of the text that was read. */
  toProblem(text: string): SyntaxProblem {
    const { message, from, to } = this;
    return { code: 'SYNTAX', message, from, to, ...positionOf(text, from) };
  }
}
