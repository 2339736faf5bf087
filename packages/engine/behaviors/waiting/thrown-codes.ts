/** Codes of errors and escalations: fixed where they are caught; literals or expressions where they are thrown. */
import { failed, type Result } from '../../failure.js';
import { text } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Run } from '../../run.js';
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
  const expression = compiler.expression(event, code, what);
  if ('literal' in expression) return String(expression.literal);
  compiler.problem(
    'error',
    event,
    `${event.type} ${event.id} needs a fixed ${what}, but has the expression ${JSON.stringify(code)}. Use a literal code, or omit it to catch every code.`,
  );
  return undefined;
}

/** The code thrown by `element`. */
export function thrownCode(run: Run, element: ElementInstance, code: Expression, what: string): Result<string> {
  const found = text(run, element, code, `${what} of ${element.node}`);
  if (!found.ok || found.value !== '') return found;
  return failed({
    errorType: 'FeelError',
    errorCode: 'EMPTY_CODE',
    message: `The ${what} of ${element.node} must be a non-empty string, but its expression returned an empty one. Correct the variables it uses, then resolve this incident.`,
  });
}
