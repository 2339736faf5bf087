/** End events: BPMN 2.0.2 section 10.5.3. */
import { goOnThrowing, throwEvent } from '../behaviors/waiting/throwing.js';
import type { Mapping, NodeBase, Outputs } from '../model/graph.js';
import { compensateCanceled } from '../behaviors/compensation/transactions.js';
import { finishTerminated } from '../events/terminate.js';
import { nodeOf } from '../run.js';
import { compileTriggers, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface EndEventNode extends NodeBase, Outputs {
  kind: 'endEvent';
  /** Empty for a none end event. */
  triggers: Trigger[];
  inputs?: Mapping[];
}

export const endEvent: ElementBehavior<EndEventNode> = {
  compile: (source, compiler) => ({
    triggers: compileTriggers(
      source,
      compiler,
      ['message', 'signal', 'error', 'escalation', 'compensate', 'cancel', 'terminate'],
      'An end event',
    ),
  }),
  enter: throwEvent,
  resume: (run, element, node, _wait, payload) => goOnThrowing(run, element, node, payload),
  compensated: goOnThrowing,
  /** The listeners of user tasks have run that a terminate or cancel end event waited for. */
  fire(run, scope, { id, triggers }) {
    const cancels = nodeOf(run, scope).kind === 'transaction' && triggers.some(({ kind }) => kind === 'cancel');
    if (cancels) compensateCanceled(run, scope, id);
    else finishTerminated(run, scope, id);
  },
};
