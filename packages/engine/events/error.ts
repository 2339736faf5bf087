/**
 * Errors: BPMN 2.0.2 section 10.5.5.1. Thrown by error end events and by job workers, caught by error boundary events
 * and error event sub-processes.
 */
import { compileCaughtCode, compileCode, thrownCode, warnOfCatchAll } from '../behaviors/waiting/thrown-codes.js';
import { failed } from '../failure.js';
import type { Expression } from '../model/graph.js';
import type { TriggerBehavior } from './trigger.js';

export interface ErrorTrigger {
  kind: 'error';
  /** For a catching event; absent: all errors. */
  errorCode?: string;
  /** For a throwing event: the code it throws. */
  throws?: Expression;
}

export const error: TriggerBehavior<ErrorTrigger> = {
  compile(definition, compiler, event) {
    const thrown = definition.reference('errorRef');
    const code = thrown?.attribute('errorCode');
    if (event.type === 'endEvent') {
      if (!code) compiler.problem('error', event, 'An error end event needs an error with an errorCode to throw');
      return { kind: 'error', ...(code && { throws: compileCode(event, compiler, code, 'error code') }) };
    }
    if (thrown && code === undefined) warnOfCatchAll(event, thrown, 'errorCode', compiler);
    const errorCode = code && compileCaughtCode(event, compiler, code, 'error code');
    return { kind: 'error', ...(errorCode && { errorCode }) };
  },
  throw(run, element, node, { throws }) {
    const code = thrownCode(run, element, throws!, 'error code');
    if (!code.ok) return code;
    return failed({
      errorType: 'BpmnError',
      errorCode: code.value,
      message: `End event ${node.id} threw error ${code.value}, which no enclosing scope catches`,
      ...(element.variables && { variables: element.variables }),
    });
  },
};
