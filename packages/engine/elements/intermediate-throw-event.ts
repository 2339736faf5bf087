/** Intermediate throw events: BPMN 2.0.2 section 10.5.4. */
import { goOnThrowing, throwEvent } from '../behaviors/waiting/throwing.js';
import type { Mapping, NodeBase, Outputs } from '../model/graph.js';
import { compileTriggers, type Trigger } from '../events/index.js';
import type { ElementBehavior } from './element.js';

export interface IntermediateThrowEventNode extends NodeBase, Outputs {
  kind: 'intermediateThrowEvent';
  /** Empty for a none intermediate event. */
  triggers: Trigger[];
  inputs?: Mapping[];
}

export const intermediateThrowEvent: ElementBehavior<IntermediateThrowEventNode> = {
  compile: (source, compiler) => ({
    triggers: compileTriggers(
      source,
      compiler,
      ['message', 'signal', 'escalation', 'compensate', 'link'],
      'An intermediate throw event',
    ),
  }),
  enter: throwEvent,
  resume: (run, element, node, _wait, payload) => goOnThrowing(run, element, node, payload),
  compensated: goOnThrowing,
};
