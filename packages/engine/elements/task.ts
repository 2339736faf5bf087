/**
 * Abstract tasks: BPMN 2.0.2 section 10.3.3. They do not define how they are performed; section 13.3.3 completes them
 * at once.
 */
import { complete } from '../behaviors/lifecycle/activation.js';
import type { ActivityBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface TaskNode extends ActivityBase {
  kind: 'task';
}

export const task: ElementBehavior<TaskNode> = {
  isActivity: true,
  compile: () => ({}),
  enter: (run, element) => complete(run, element),
};
