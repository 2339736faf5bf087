/** References of processes with the binding `deployment`. */
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

/** Every reference with the binding `deployment`. */
export function deploymentTargets({ nodes }: Graph, forms: FormsOfProcess | undefined): DeploymentTarget[] {
  const targets: DeploymentTarget[] = [];
  const add = (kind: DeploymentTarget['kind'], node: string, named?: Expression, binding?: ChildBinding) => {
    if (named && binding?.kind === 'deployment') targets.push({ kind, key: textOf(named), node });
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

function textOf(expression: Expression): string | undefined {
  return 'literal' in expression ? String(expression.literal) : undefined;
}
