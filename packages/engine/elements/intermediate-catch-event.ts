/** Intermediate catch events: BPMN 2.0.2 section 10.5.4. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import type { NodeBase, Outputs } from '../model/graph.js';
import { listen } from '../behaviors/waiting/trigger-dispatch.js';
import { compileTriggers, parallelMultiple, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface IntermediateCatchEventNode extends NodeBase, Outputs {
  kind: 'intermediateCatchEvent';
  /** Any one of them is enough. */
  triggers: Trigger[];
  /** All of them are needed. */
  parallelMultiple?: true;
}

export const intermediateCatchEvent: ElementBehavior<IntermediateCatchEventNode> = {
  catches: true,
  compile(source, compiler) {
    const triggers = compileTriggers(
      source,
      compiler,
      ['message', 'timer', 'signal', 'conditional', 'link'],
      'An intermediate catch event',
    );
    if (source.eventDefinitions().length === 0)
      compiler.problem('error', source, 'An intermediate catch event needs an event definition to wait for');
    return { triggers, ...parallelMultiple(source) };
  },
  enter(run, element, node) {
    // The catching end of a link is reached only from the throwing end, and continues at once.
    if (node.triggers.some(({ kind }) => kind === 'link')) return complete(run, element);
    const listening = listen(run, element, node, node.triggers);
    if (!listening.ok) fail(run, element, listening.failure);
  },
  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
