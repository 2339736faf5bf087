/**
 * Codes of errors and escalations: fixed where they are caught; literals or expressions where they are thrown. Incidents
 * and jobs are looked up by them, so their length is limited.
 */
import { failed, type Result } from '../../failure.js';
import type { Expression } from '../../model/graph.js';
import type { Run } from '../../run.js';
import { MAX_SHORT_TEXT_LENGTH, shortText } from '../data/short-text.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { ElementInstance } from '../../state/state.js';

/**
 * The code that a catching event matches; undefined if it catches all codes. It cannot depend on variables, because
 * parent and called instances know what is caught before anything is thrown.
 * @param what the kind of code, for the message: `error code`
 */
export function compileCaughtCode(
  event: SourceElement,
  compiler: Compiler,
  code: string,
  what: string,
): string | undefined {
  const expression = compileCode(event, compiler, code, what);
  if ('literal' in expression) return String(expression.literal);
  compiler.problem(
    'error',
    event,
    `${event.type} ${event.id} needs a fixed ${what}, but has the expression ${JSON.stringify(code)}. Use a literal code, or omit it to catch every code.`,
  );
  return undefined;
}

/** A name is not a code: without one, an event catches everything, although its definition names one error. */
export function warnOfCatchAll(
  event: SourceElement,
  { id, name }: SourceElement,
  attribute: 'errorCode' | 'escalationCode',
  compiler: Compiler,
): void {
  const what = attribute === 'errorCode' ? 'error' : 'escalation';
  compiler.problem(
    'warning',
    event,
    `${event.type} ${event.id} catches every ${what}, because ${what} ${name ?? id} has no ${attribute}. Add the ${attribute} to catch only this one.`,
  );
}

/** The code that a throwing event throws: a literal within the length limit, or an expression. */
export function compileCode(event: SourceElement, compiler: Compiler, code: string, what: string): Expression {
  const expression = compiler.expression(event, code, what);
  if ('literal' in expression && String(expression.literal).length > MAX_SHORT_TEXT_LENGTH)
    compiler.problem(
      'error',
      event,
      `The ${what} of ${event.type} ${event.id} must have at most ${MAX_SHORT_TEXT_LENGTH} characters`,
    );
  return expression;
}

/** The code thrown by `element`. A longer one than an index has room for is a failure. */
export function thrownCode(run: Run, element: ElementInstance, code: Expression, what: string): Result<string> {
  const found = shortText(run, element, code, `${what} of ${element.node}`);
  if (!found.ok || found.value !== '') return found;
  return failed({
    errorType: 'FeelError',
    errorCode: 'EMPTY_CODE',
    message: `The ${what} of ${element.node} must be a non-empty string, but its expression returned an empty one. Correct the variables it uses, then resolve this incident.`,
  });
}
