/** References of processes to other processes, decisions, and forms. */
import type { ChildBinding } from '@perdure/engine/contract/facts.js';
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import type { Expression, Graph } from '@perdure/engine/model/graph.js';

export interface DeploymentTarget {
  kind: 'PROCESS' | 'DECISION' | 'FORM';
  /** Undefined if an expression selects it at run time. */
  key: string | undefined;
  /** The node that names it. */
  node: string;
}

export interface Target extends DeploymentTarget {
  /** Absent: the latest version. */
  binding: ChildBinding | undefined;
}

/** Every reference with the binding `deployment`. */
export function deploymentTargets(graph: Graph, forms: FormsOfProcess | undefined): DeploymentTarget[] {
  return targetsOf(graph, forms).flatMap(({ kind, key, node, binding }) =>
    binding?.kind === 'deployment' ? [{ kind, key, node }] : [],
  );
}

/** Every reference, in document order. */
export function targetsOf({ nodes }: Graph, forms: FormsOfProcess | undefined): Target[] {
  const targets: Target[] = [];
  const add = (kind: Target['kind'], node: string, named?: Expression, binding?: ChildBinding) => {
    if (named) targets.push({ kind, key: literalOf(named), node, binding });
  };
  for (const node of nodes) {
    if (node.kind === 'callActivity') add('PROCESS', node.id, node.processID, node.binding);
    else if (node.kind === 'userTask') add('FORM', node.id, node.formID, node.formBinding);
    else if (node.kind === 'businessRuleTask')
      add('DECISION', node.id, node.decision?.decisionID, node.decision?.binding);
    else if (node.kind === 'process' && forms?.start && 'formID' in forms.start)
      add('FORM', node.start ?? node.id, { literal: forms.start.formID }, forms.start.binding);
  }
  return targets;
}

/** Undefined for an expression that is evaluated at run time. */
export function literalOf(expression: Expression): string | undefined {
  return 'literal' in expression ? String(expression.literal) : undefined;
}
