/** Intermediate catch events: BPMN 2.0.2 section 10.5.4. */
import { complete } from '../behaviors/activation.js';
import { fail } from '../behaviors/failures.js';
import type { Mapping, NodeBase } from '../graph.js';
import { compileTriggers, listen, type Trigger } from '../triggers/index.js';
import type { ElementBehavior } from './element.js';

export interface IntermediateCatchEventNode extends NodeBase {
  kind: 'intermediateCatchEvent';
  triggers: Trigger[];
  outputs?: Mapping[];
}

export const intermediateCatchEvent: ElementBehavior<IntermediateCatchEventNode> = {
  compile(source, compiler) {
    const triggers = compileTriggers(source, compiler, ['timer'], 'An intermediate catch event');
    if (source.eventDefinitions().length === 0) compiler.problem('error', source, 'An intermediate catch event needs an event definition to wait for');
    return { triggers };
  },
  enter(run, element, node) {
    const listening = listen(run, element, node, node.triggers);
    if (!listening.ok) fail(run, element, listening.failure);
  },
  resume: (run, element, _node, _wait, payload) => complete(run, element, payload),
};
