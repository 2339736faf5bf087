/** Decision requests, derived from the state, so that a host that continues from the state can send them again. */
import type { ChildBinding } from './contract/facts.js';
import type { Variables } from './contract/json.js';
import type { DecisionWait, ElementInstance, State } from './state/state.js';

export interface DecisionRequest {
  /** The wait that receives the result. */
  wait: number;
  decisionID: string;
  binding: ChildBinding;
  /** All variables that the task sees. */
  variables: Variables;
}

export function decisionRequest(state: State, { id, element, decisionID, binding }: DecisionWait): DecisionRequest {
  let variables: Variables = {};
  for (let scope: ElementInstance | undefined = state.elements[element]; scope; scope = state.elements[scope.scope]) {
    variables = { ...scope.variables, ...variables };
  }
  return { wait: id, decisionID, binding, variables };
}
