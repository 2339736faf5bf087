/** Lanes: BPMN 2.0.2 section 10.8. A lane determines who performs the work inside it. */
import type { BpmnElement } from '../read/document.js';
import type { DrawnNode, DrawnProcess } from '../read/drawing.js';

/** Name (else id) of the innermost lane around each flow node, by node id. Sub-processes may have their own lanes. */
export function lanesOf({ root, nodes }: DrawnProcess): ReadonlyMap<string, string> {
  const lanes = new Map<string, string>();
  const scopes = [root.element, ...nodes.filter(({ inside }) => inside).map(({ element }) => element)];
  for (const laneSet of scopes.flatMap((scope) => scope.children('laneSets'))) readLaneSet(laneSet, lanes);
  return lanes;
}

/** The lane of `node`, or that of the sub-process that contains it. */
export function laneAround(node: DrawnNode, lanes: ReadonlyMap<string, string>): string | undefined {
  for (let around: DrawnNode | undefined = node; around; around = around.scope.node) {
    const lane = lanes.get(around.element.id);
    if (lane !== undefined) return lane;
  }
  return undefined;
}

function readLaneSet(laneSet: BpmnElement, lanes: Map<string, string>): void {
  for (const lane of laneSet.children('lanes')) {
    for (const node of lane.references('flowNodeRef')) lanes.set(node.id, lane.name || lane.id);
    for (const inner of lane.children('childLaneSet')) readLaneSet(inner, lanes);
  }
}
