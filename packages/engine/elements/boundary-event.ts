/** Boundary events: BPMN 2.0.2 sections 10.5.4 and 13.5.3. An interrupting one ends its host. */
import { activate, complete } from '../behaviors/lifecycle/activation.js';
import { waitsForTasks } from '../behaviors/listeners/canceling.js';
import { cancel } from '../behaviors/lifecycle/cancellation.js';
import { listenAgain } from '../behaviors/waiting/listening-again.js';
import type { NodeBase, Outputs } from '../model/graph.js';
import { scopeOf } from '../run.js';
import { compileTriggers, parallelMultiple, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface BoundaryEventNode extends NodeBase, Outputs {
  kind: 'boundaryEvent';
  attachedTo: string;
  triggers: Trigger[];
  parallelMultiple?: true;
  interrupting: boolean;
  /** For a compensation boundary event: the activity that its association leads to. */
  handler?: string;
}

const ALWAYS_INTERRUPT = ['error', 'cancel'];

export const boundaryEvent: ElementBehavior<BoundaryEventNode> = {
  compile(source, compiler) {
    const triggers = compileTriggers(
      source,
      compiler,
      ['message', 'timer', 'signal', 'conditional', 'error', 'escalation', 'compensate', 'cancel'],
      'A boundary event',
    );
    const interrupting = source.flag('cancelActivity', true);
    if (source.eventDefinitions().length === 0)
      compiler.problem('error', source, 'A boundary event needs an event definition');
    const strict = triggers.find(({ kind }) => ALWAYS_INTERRUPT.includes(kind));
    if (!interrupting && strict)
      compiler.problem(
        'error',
        source,
        `A boundary event of kind ${strict.kind} always interrupts: cancelActivity="false" is not allowed. Remove it.`,
      );
    return { attachedTo: source.attribute('attachedToRef') ?? '', triggers, interrupting, ...parallelMultiple(source) };
  },
  enter: (run, element, _node, payload) => complete(run, element, payload),
  fire(run, host, node, payload, as) {
    const scope = scopeOf(run, host)!;
    if (node.interrupting) {
      const reason = `interrupted by boundary event ${node.id}`;
      const interruption = { by: node.id, reason, ...(payload && { payload }), ...(as && { as }) };
      if (waitsForTasks(run, host, interruption, { isLeft: true })) return;
      cancel(run, host, reason, as);
    } else if (node.parallelMultiple) listenAgain(run, host, node);
    activate(run, node.id, scope, { ...(payload && { payload }) });
  },
};
