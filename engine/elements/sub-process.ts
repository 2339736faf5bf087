/** Embedded sub-processes: BPMN 2.0.2 section 10.3.5. */
import { complete } from '../behaviors/activation.js';
import { enterScope } from '../behaviors/scopes.js';
import type { ActivityBase } from '../graph.js';
import type { ElementBehavior } from './element.js';

export interface SubProcessNode extends ActivityBase {
  kind: 'subProcess';
  /** Its none start event. */
  start: string;
}

export const subProcess: ElementBehavior<SubProcessNode> = {
  isActivity: true,
  /** `bpmn/` fills the start event in: it knows what stands inside. */
  compile: () => ({ start: '' }),
  enter: (run, element, node) => enterScope(run, element, node.start),
  insideDone: (run, element) => complete(run, element),
};
