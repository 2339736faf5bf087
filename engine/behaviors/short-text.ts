/** Text that people and workers look things up by. No door takes more of it, and an index has room for no more. */
import { failed, type Result } from '../failure.js';
import { text, texts } from '../feel.js';
import type { Expression } from '../graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../source.js';
import type { ElementInstance } from '../state.js';

/** UTF-16 code units. */
export const LONGEST_SHORT_TEXT = 255;

/** As `compiler.expression`, and reports a literal that is too long; each part of it when it is a list with commas. */
export function compileShortText(source: SourceElement, given: string, what: string, compiler: Compiler): Expression {
  const expression = compiler.expression(source, given, what);
  if ('literal' in expression && given.split(',').some(isTooLong)) compiler.problem('error', source, tooLong(what));
  return expression;
}

/** The value of `expression` when it is a string that is not too long; anything else is a failure. */
export function shortText(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string> {
  const found = text(run, element, expression, what);
  return found.ok && isTooLong(found.value) ? failure(what) : found;
}

/** The value of `expression` when it is a list of such strings (or one string); anything else is a failure. */
export function shortTexts(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string[]> {
  const found = texts(run, element, expression, what);
  return found.ok && found.value.some(isTooLong) ? failure(what) : found;
}

function failure(what: string): Result<never> {
  return failed({ errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG', message: tooLong(what) });
}

function tooLong(what: string): string {
  return `The ${what} has more than ${LONGEST_SHORT_TEXT} characters`;
}

function isTooLong(given: string): boolean {
  return given.length > LONGEST_SHORT_TEXT;
}
