/** Start events: BPMN 2.0.2 section 10.5.2. */
import { complete } from '../behaviors/activation.js';
import { fail } from '../behaviors/failures.js';
import type { Mapping, NodeBase } from '../graph.js';
import { gatheringKey } from '../memory.js';
import { record } from '../run.js';
import { ROOT } from '../state.js';
import { compileTriggers, listen, parallelMultiple, type Trigger } from '../triggers/index.js';
import type { ElementBehavior } from './element.js';

export interface StartEventNode extends NodeBase {
  kind: 'startEvent';
  /** Empty for a none start event. */
  triggers: Trigger[];
  parallelMultiple?: true;
  /** Of an event sub-process: ends everything else in the scope around it. */
  interrupting: boolean;
  outputs?: Mapping[];
}

export const startEvent: ElementBehavior<StartEventNode> = {
  compile(source, compiler) {
    const triggers = compileTriggers(source, compiler, ['message', 'timer', 'signal', 'conditional', 'error', 'escalation', 'compensate'], 'A start event');
    const interrupting = source.flag('isInterrupting', true);
    // BPMN 2.0.2 table 10.86.
    if (!interrupting && triggers.some(({ kind }) => kind === 'error')) {
      compiler.problem('error', source, `Error start event ${source.id} always interrupts: isInterrupting="false" is not allowed. Remove it.`);
    }
    return {
      triggers,
      interrupting,
      ...parallelMultiple(source),
    };
  },

  enter(run, element, node, payload) {
    // BPMN 2.0.2 table 10.84, Parallel Multiple: the first of its definitions started the instance, which waits for the others.
    if (!node.parallelMultiple || element.scope !== ROOT) return complete(run, element, payload);
    const first = Number(run.state.elements[ROOT]!.memory?.['startTrigger'] ?? 0);
    const others = node.triggers.filter((_, index) => index !== first);
    const listening = listen(run, element, node, others);
    if (!listening.ok) return fail(run, element, listening.failure);
    if (payload) record(run, { kind: 'MEMORY_SET', element: element.id, memory: { [gatheringKey(node.id)]: payload } });
  },

  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
