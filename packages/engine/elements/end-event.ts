/** End events: BPMN 2.0.2 section 10.5.3. */
import { goOnThrowing, throwEvent } from '../behaviors/waiting/throwing.js';
import type { Mapping, NodeBase } from '../model/graph.js';
import { compileTriggers, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface EndEventNode extends NodeBase {
  kind: 'endEvent';
  /** Empty for a none end event. */
  triggers: Trigger[];
  inputs?: Mapping[];
  outputs?: Mapping[];
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
};
