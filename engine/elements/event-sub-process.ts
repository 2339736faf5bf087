/** Event sub-processes: BPMN 2.0.2 section 10.3.5. Listening and interrupting stand in `behaviors/event-sub-processes.ts`. */
import { activate, complete } from '../behaviors/activation.js';
import type { NodeBase } from '../graph.js';
import type { ElementBehavior } from './element.js';

export interface EventSubProcessNode extends NodeBase {
  kind: 'eventSubProcess';
  /** Its one start event. */
  start: string;
}

export const eventSubProcess: ElementBehavior<EventSubProcessNode> = {
  /** `bpmn/` fills the start event in: it knows what stands inside. */
  compile: () => ({ start: '' }),
  enter: (run, element, node, payload) => activate(run, node.start, element, { ...(payload && { payload }) }),
  insideDone: (run, element) => complete(run, element),
};
