/** End events: BPMN 2.0.2 section 10.5.3. */
import { cancelInside, complete } from '../behaviors/activation.js';
import { fail } from '../behaviors/failures.js';
import type { Mapping, NodeBase } from '../graph.js';
import { scopeOf } from '../run.js';
import { compileTriggers, type Trigger } from '../triggers/index.js';
import type { ElementBehavior } from './element.js';

export interface EndEventNode extends NodeBase {
  kind: 'endEvent';
  /** Empty for a none end event. */
  triggers: Trigger[];
  inputs?: Mapping[];
}

export const endEvent: ElementBehavior<EndEventNode> = {
  compile: (source, compiler) => ({ triggers: compileTriggers(source, compiler, ['error', 'terminate'], 'An end event') }),

  enter(run, element, node) {
    const [trigger] = node.triggers;
    switch (trigger?.kind) {
      case 'error':
        return fail(run, element, {
          errorType: 'BpmnError',
          errorCode: trigger.errorCode!,
          message: `End event ${node.id} threw error ${trigger.errorCode} and nothing around it catches it`,
        });
      case 'terminate':
        // BPMN 2.0.2 section 13.5.6: everything in the scope ends; the scope itself then ends normally.
        cancelInside(run, scopeOf(run, element)!, `terminated by end event ${node.id}`, element);
        return complete(run, element);
      default:
        return complete(run, element);
    }
  },
};
