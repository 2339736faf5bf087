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
    if (!isHeldBack(run, flow)) beginNext(run, flow);
  },
  openedEmpty: (run, flow) =>
    record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { wanted: [], begun: 0 } }),
  insideDone(run, flow) {
    // A person has approved the call of a tool. It begins when things move: the instance may be paused.
    if (nextOf(flow) !== undefined) record(run, { kind: 'ELEMENT_CONTINUED', element: flow.id, again: true });
    else end(run, flow);
  },
  onContinue(run, flow) {
    // One that is being compensated has nothing to begin.
    if (nextOf(flow) !== undefined) beginNext(run, flow);
  },
};

function nextOf({ data }: ElementInstance): string | undefined {
  return ((data?.['wanted'] ?? []) as string[])[begunOf(data)];
}

function begunOf(data: ElementInstance['data']): number {
  return Number(data?.['begun'] ?? 0);
}

function beginNext(run: Run, flow: ElementInstance): void {
  const next = nextOf(flow)!;
  record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { begun: begunOf(flow.data) + 1 } });
  activate(run, next, flow);
}

function end(run: Run, flow: ElementInstance): void {
  if (!isCompensatedAgain(run, flow)) {
    record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { ended: true } });
    const collected = collectOutput(run, flow);
    if (!collected.ok) return fail(run, flow, collected.failure);
  }
  complete(run, flow);
}
