/**
 * Text that people and job workers look things up by. The API accepts no longer text, and an index has no room for
 * more.
 */
import { failed, type Result } from '../../failure.js';
import { text, texts } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Run } from '../../run.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { ElementInstance } from '../../state/state.js';

/** In UTF-16 code units. */
export const MAX_SHORT_TEXT_LENGTH = 255;

/** Like `compiler.expression`, but also reports a literal that is too long; for a comma-separated list, each part. */
export function compileShortText(source: SourceElement, given: string, what: string, compiler: Compiler): Expression {
  const expression = compiler.expression(source, given, what);
  if ('literal' in expression && given.split(',').some(isTooLong)) compiler.problem('error', source, tooLong(what));
  if ('literal' in expression && given !== '' && given.trim() === '')
    compiler.problem('error', source, `The ${what} of ${source.id} consists of blanks. Enter a text, or remove it.`);
  return expression;
}

/** The value of `expression` if it is a string within the length limit; any other value is a failure. */
export function shortText(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string> {
  const found = text(run, element, expression, what);
  return found.ok && isTooLong(found.value) ? failure(what) : found;
}

/** The value of `expression` if it is a list of such strings (or one string); any other value is a failure. */
export function shortTexts(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string[]> {
  const found = texts(run, element, expression, what);
  return found.ok && found.value.some(isTooLong) ? failure(what) : found;
}

function failure(what: string): Result<never> {
  return failed({ errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG', message: tooLong(what) });
}

function tooLong(what: string): string {
  return `The ${what} must have at most ${MAX_SHORT_TEXT_LENGTH} characters`;
}

function isTooLong(given: string): boolean {
  return given.length > MAX_SHORT_TEXT_LENGTH;
}
