/**
 * Manual tasks: BPMN 2.0.2 section 10.3.3. They happen outside any system, so there is nothing to wait for (section
 * 13.3.3).
 */
import { complete } from '../behaviors/lifecycle/activation.js';
import type { ActivityBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface ManualTaskNode extends ActivityBase {
  kind: 'manualTask';
}

export const manualTask: ElementBehavior<ManualTaskNode> = {
  isActivity: true,
  compile: () => ({}),
  enter: (run, element) => complete(run, element),
};
