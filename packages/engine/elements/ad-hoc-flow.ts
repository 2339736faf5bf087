/**
 * One activation inside an ad-hoc sub-process that a job worker drives: a scope around the activated element and
 * whatever follows it. Its variables and joins are its own, so that several activations of the same element do not
 * disturb each other. It is in no drawing: the compiler adds one node for each such sub-process.
 */
import { collectOutput, isHeldBack } from '../behaviors/flow/driven-ad-hoc.js';
import { isCompensatedAgain } from '../behaviors/compensation/compensation-records.js';
import { activate, complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import type { ActivityBase, ScopeBase } from '../model/graph.js';
import { record, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';

export interface AdHocFlowNode extends ActivityBase, ScopeBase {
  kind: 'adHocFlow';
}

export const adHocFlow: ElementBehavior<AdHocFlowNode> = {
  isActivity: true,
  compile: () => ({}),
  enter(run, flow) {
    // A retry after the output element failed: everything inside has already ended.
    if (flow.data?.['ended'] === true) return end(run, flow);
    if (!isHeldBack(run, flow)) beginFirst(run, flow);
  },
  openedEmpty: (run, flow) =>
    record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { wanted: [], begun: 0 } }),
  insideDone: end,
  onContinue(run, flow) {
    // One that is being compensated has nothing to begin.
    if (flow.data?.['begun'] === 0) beginFirst(run, flow);
  },
};

function beginFirst(run: Run, flow: ElementInstance): void {
  const [first] = (flow.data?.['wanted'] ?? []) as string[];
  record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { begun: 1 } });
  activate(run, first!, flow);
}

function end(run: Run, flow: ElementInstance): void {
  if (!isCompensatedAgain(run, flow)) {
    record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { ended: true } });
    const collected = collectOutput(run, flow);
    if (!collected.ok) return fail(run, flow, collected.failure);
  }
  complete(run, flow);
}
