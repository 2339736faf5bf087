/** Boundary events: BPMN 2.0.2 section 10.5.4. Listening and interrupting stand in `behaviors/boundary.ts`. */
import { complete } from '../behaviors/activation.js';
import type { Mapping, NodeBase } from '../graph.js';
import { compileTriggers, type Trigger } from '../triggers/index.js';
import type { ElementBehavior } from './element.js';

export interface BoundaryEventNode extends NodeBase {
  kind: 'boundaryEvent';
  attachedTo: string;
  triggers: Trigger[];
  interrupting: boolean;
  outputs?: Mapping[];
}

export const boundaryEvent: ElementBehavior<BoundaryEventNode> = {
  compile(source, compiler) {
    const triggers = compileTriggers(source, compiler, ['timer', 'error'], 'A boundary event');
    const interrupting = source.attribute('cancelActivity') !== 'false';
    if (source.eventDefinitions().length === 0) compiler.problem('error', source, 'A boundary event needs an event definition');
    if (!interrupting && triggers.some((trigger) => trigger.kind === 'error')) {
      compiler.problem('error', source, 'An error boundary event always interrupts: cancelActivity="false" is not allowed');
    }
    return { attachedTo: source.attribute('attachedToRef') ?? '', triggers, interrupting };
  },
  enter: (run, element, _node, payload) => complete(run, element, payload),
};
