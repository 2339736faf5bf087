/** Start events: BPMN 2.0.2 section 10.5.2. */
import { complete } from '../behaviors/lifecycle/activation.js';
import type { Variables } from '../contract/json.js';
import type { NodeBase, Outputs } from '../model/graph.js';
import { compileTriggers, parallelMultiple, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface StartEventNode extends NodeBase, Outputs {
  kind: 'startEvent';
  /** Empty for a none start event. */
  triggers: Trigger[];
  /** Whether all of them are needed: an instance is created when the last one has arrived (BPMN 2.0.2 table 10.84). */
  parallelMultiple?: true;
  /** For an event sub-process: whether it ends everything else in the enclosing scope. */
  interrupting: boolean;
}

export const startEvent: ElementBehavior<StartEventNode> = {
  compile(source, compiler) {
    const triggers = compileTriggers(
      source,
      compiler,
      ['message', 'timer', 'signal', 'conditional', 'error', 'escalation', 'compensate'],
      'A start event',
    );
    const interrupting = source.flag('isInterrupting', true);
    // BPMN 2.0.2 table 10.86.
    if (!interrupting && triggers.some(({ kind }) => kind === 'error')) {
      compiler.problem(
        'error',
        source,
        `Error start event ${source.id} always interrupts: isInterrupting="false" is not allowed. Remove it.`,
      );
    }
    return {
      triggers,
      interrupting,
      ...parallelMultiple(source),
    };
  },

  /** An incident before it has kept the payload. */
  enter: (run, element, _node, payload) =>
    complete(run, element, payload ?? (element.data?.['payload'] as Variables | undefined)),
};
