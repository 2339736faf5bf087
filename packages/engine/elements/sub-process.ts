/** Embedded sub-processes: BPMN 2.0.2 section 10.3.5. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { enterScope } from '../behaviors/lifecycle/scopes.js';
import type { ActivityBase, ScopeBase } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface SubProcessNode extends ActivityBase, ScopeBase {
  kind: 'subProcess';
}

export const subProcess: ElementBehavior<SubProcessNode> = {
  isActivity: true,
  compile: () => ({}),
  enter: enterScope,
  insideDone: (run, element) => complete(run, element),
};
