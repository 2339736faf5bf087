/** What an instance asks of a decision, read from its state: whoever goes on with the state can ask again. */
import type { ChildBinding } from './facts.js';
import type { Variables } from './json.js';
import type { DecisionWait, ElementInstance, State } from './state.js';

export interface DecisionRequest {
  /** The wait that the answer is for. */
  wait: number;
  decisionID: string;
  binding: ChildBinding;
  /** Every variable that the task sees. */
  variables: Variables;
}

export function decisionRequest(state: State, { id, element, decisionID, binding }: DecisionWait): DecisionRequest {
  let variables: Variables = {};
  for (let scope: ElementInstance | undefined = state.elements[element]; scope; scope = state.elements[scope.scope]) {
    variables = { ...scope.variables, ...variables };
  }
  return { wait: id, decisionID, binding, variables };
}
