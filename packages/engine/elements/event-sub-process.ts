/**
 * Event sub-processes: BPMN 2.0.2 section 10.3.5. Listening and interrupting are in `behaviors/event-sub-processes.ts`.
 */
import { activate, complete } from '../behaviors/activation.js';
import { fail } from '../behaviors/failures.js';
import { openScope } from '../behaviors/scopes.js';
import type { NodeBase, ScopeBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface EventSubProcessNode extends NodeBase, ScopeBase {
  kind: 'eventSubProcess';
  /** Its single start event. */
  start: string;
}

export const eventSubProcess: ElementBehavior<EventSubProcessNode> = {
  compile: () => ({}),
  enter(run, element, node, payload) {
    const opened = openScope(run, element, node);
    if (!opened.ok) return fail(run, element, opened.failure);
    activate(run, node.start, element, { ...(payload && { payload }) });
  },
  insideDone: (run, element) => complete(run, element),
};
