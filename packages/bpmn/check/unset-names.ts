/** Names that expressions of a process read and nothing in it sets: inputs of the process, or typos. */
import type { AdHocSubProcessNode } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { Graph, Node } from '@perdure/engine/model/graph.js';
import type { SourceElement } from '@perdure/engine/model/source.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';

/** One expression that reads a variable. */
export interface NameRead {
  name: string;
  element: SourceElement;
}

/** Set by the interpreter itself (multi-instance bodies, complex gateways). */
const GIVEN_NAMES = [
  'loopCounter',
  'numberOfInstances',
  'numberOfActiveInstances',
  'numberOfCompletedInstances',
  'numberOfTerminatedInstances',
  'activationCount',
];

/** Reports them in one warning, because a start, a job worker, a person or a message may provide them. */
export function warnOfUnsetNames(
  process: SourceElement,
  graph: Graph,
  reads: readonly NameRead[],
  problems: Diagnostics,
): void {
  const set = new Set([...GIVEN_NAMES, ...graph.nodes.flatMap(namesSetBy)]);
  const unset = new Map<string, string>();
  for (const { name, element } of reads) {
    if (!set.has(name) && !unset.has(name)) unset.set(name, element.id);
  }
  if (unset.size === 0) return;
  const list = [...unset].map(([name, elementID]) => `${name} (read by ${elementID})`).join(', ');
  problems.warning(
    process.id,
    `Nothing in process ${process.id} sets these names, so its start, a job worker, a person or a message must provide them: ${list}`,
  );
}

function namesSetBy(node: Node): string[] {
  const names: string[] = [];
  if ('inputs' in node) names.push(...(node.inputs ?? []).map(({ target }) => target[0]!));
  if ('outputs' in node) names.push(...(node.outputs ?? []).map(({ target }) => target[0]!));
  if ('resultVariable' in node && node.resultVariable) names.push(node.resultVariable);
  if ('decision' in node && node.decision?.resultVariable) names.push(node.decision.resultVariable);
  if ('data' in node) names.push(...(node.data ?? []).map(({ name }) => name));
  if ('loop' in node && node.loop?.kind === 'multiInstance')
    names.push(...[node.loop.inputElement, node.loop.outputCollection].filter((name) => name !== undefined));
  if (node.kind === 'adHocSubProcess') names.push(...namesSetByAdHoc(node));
  return names;
}

function namesSetByAdHoc({ output, agent }: AdHocSubProcessNode): string[] {
  const names = output ? [output.collection] : [];
  if (!agent) return names;
  return [...names, 'toolCall', 'toolCallResult', ...(agent.resultVariable ? [agent.resultVariable] : [])];
}
