/** The codes of errors and escalations: fixed where they are caught, a text or an expression where they are thrown. */
import { failed, type Result } from '../failure.js';
import { text } from '../feel.js';
import type { Expression } from '../graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../source.js';
import type { ElementInstance } from '../state.js';

/**
 * The code that a catching event looks for; undefined when it catches every one. What is caught is known to callers before
 * anything is thrown, so no variable can say it.
 * @param what the kind of code, for the message: `error code`
 */
export function compileCaughtCode(event: SourceElement, compiler: Compiler, code: string, what: string): string | undefined {
  const expression = compiler.expression(event, code, what);
  if ('literal' in expression) return String(expression.literal);
  compiler.problem('error', event, `${event.type} ${event.id} catches a fixed ${what}, but it is the expression ${JSON.stringify(code)}; write the code itself, or none to catch every one`);
  return undefined;
}

/** The code that `element` throws. */
export function thrownCode(run: Run, element: ElementInstance, code: Expression, what: string): Result<string> {
  const found = text(run, element, code, `${what} of ${element.node}`);
  if (!found.ok || found.value !== '') return found;
  return failed({ errorType: 'FeelError', errorCode: 'EMPTY_CODE', message: `The ${what} of ${element.node} must be a text, but its expression gave an empty one; correct the variables it uses, then resolve this incident` });
}
