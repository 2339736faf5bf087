/**
 * Errors: BPMN 2.0.2 section 10.5.5.1. Thrown by error end events and by workers, caught by error boundary events
 * and error event sub-processes.
 */
import { failed } from '../failure.js';
import type { TriggerBehavior } from './trigger.js';

export interface ErrorTrigger {
  kind: 'error';
  /** Absent on a catching event: every error. */
  errorCode?: string;
}

export const error: TriggerBehavior<ErrorTrigger> = {
  compile(definition, compiler, event) {
    const root = definition.reference('errorRef');
    const errorCode = root?.attribute('errorCode');
    if (event.type === 'endEvent' && !errorCode) {
      compiler.problem('error', event, 'An error end event needs an error with an errorCode to throw');
    }
    return { kind: 'error', ...(errorCode && { errorCode }) };
  },
  throw(_run, element, node, { errorCode }) {
    return failed({
      errorType: 'BpmnError',
      errorCode: errorCode!,
      message: `End event ${node.id} threw error ${errorCode} and nothing around it catches it`,
      ...(element.variables && { variables: element.variables }),
    });
  },
};
