/** Start events: BPMN 2.0.2 section 10.5.2. */
import { complete } from '../behaviors/activation.js';
import type { Mapping, NodeBase } from '../graph.js';
import { compileTriggers, type Trigger } from '../triggers/index.js';
import type { ElementBehavior } from './element.js';

export interface StartEventNode extends NodeBase {
  kind: 'startEvent';
  /** Empty for a none start event. */
  triggers: Trigger[];
  /** Of an event sub-process: ends everything else in the scope around it. */
  interrupting: boolean;
  outputs?: Mapping[];
}

export const startEvent: ElementBehavior<StartEventNode> = {
  compile(source, compiler) {
    return {
      triggers: compileTriggers(source, compiler, ['timer', 'error'], 'A start event'),
      interrupting: source.attribute('isInterrupting') !== 'false',
    };
  },
  enter: (run, element, _node, payload) => complete(run, element, payload),
};
