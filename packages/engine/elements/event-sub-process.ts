/** Event sub-processes: BPMN 2.0.2 sections 10.3.5 and 13.3.4. An interrupting one ends everything else in its scope. */
import { activate, complete } from '../behaviors/lifecycle/activation.js';
import { waitsForTasks } from '../behaviors/listeners/canceling.js';
import { interrupts, stopListening } from '../behaviors/waiting/event-sub-processes.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { interrupt } from '../behaviors/lifecycle/interruption.js';
import { listenAgain } from '../behaviors/waiting/listening-again.js';
import { openScope } from '../behaviors/lifecycle/scopes.js';
import type { NodeBase, ScopeBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';
import type { StartEventNode } from './start-event.js';

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
  fire(run, scope, node, payload) {
    const start = run.model.node(node.start) as StartEventNode;
    if (interrupts(start)) {
      const reason = `interrupted by event sub-process ${node.id}`;
      if (waitsForTasks(run, scope, { by: node.id, reason, ...(payload && { payload }) })) return;
      interrupt(run, scope, reason);
      stopListening(run, scope, node.parent!);
    } else if (start.parallelMultiple) {
      listenAgain(run, scope, start);
    }
    activate(run, node.id, scope, { ...(payload && { payload }) });
  },
};
