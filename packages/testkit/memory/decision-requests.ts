/** Evaluation of the decisions that business rule tasks request. */
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { decisionRequest, type DecisionRequest } from '@perdure/engine/decisions.js';
import type { MemoryInstance } from './instance.js';

type Outcome = DecisionEvaluation['outcome'];

export interface DecisionHost {
  readonly now: number;
  /** Decision results by id. */
  readonly decisions: ReadonlyMap<string, (variables: Variables) => Json>;
  readonly evaluateDecision: ((request: DecisionRequest, now: number) => Outcome) | undefined;
}

/** Notes what a step requested. */
export function noteRequests({ state, asked }: MemoryInstance, facts: readonly Fact[]): void {
  const waits = facts
    .flatMap((fact) => (fact.kind === 'DECISION_REQUESTED' ? [state.waits[fact.decision]] : []))
    .filter((wait) => wait?.kind === 'decision');
  asked.push(...waits.map((wait) => decisionRequest(state, wait)));
}

/** Notes what an opened instance waits for. */
export function noteWaitingDecisions({ state, asked }: MemoryInstance): void {
  for (const wait of Object.values(state.waits)) if (wait.kind === 'decision') asked.push(decisionRequest(state, wait));
}

/**
 * All requests of one step are answered in one step, as on Temporal. One loop handles requests caused by the evaluations,
 * so that a model that asks again and again does not overflow the stack.
 */
export function evaluateRequests(
  instance: MemoryInstance,
  host: DecisionHost,
  take: (evaluations: readonly DecisionEvaluation[]) => void,
): void {
  const { asked } = instance;
  if (asked.length === 0 || instance.isDeciding) return;
  instance.isDeciding = true;
  try {
    while (asked.length > 0 && !isHalted(instance.state))
      take(
        asked.splice(0).map((request) => ({
          kind: 'DECISION_EVALUATED',
          execution: request.wait,
          outcome: outcomeOf(request, host),
        })),
      );
  } finally {
    instance.isDeciding = false;
  }
}

function outcomeOf(request: DecisionRequest, { now, decisions, evaluateDecision }: DecisionHost): Outcome {
  const { decisionID, variables } = request;
  const decide = decisions.get(decisionID);
  if (decide) return { status: 'EVALUATED', value: decide(variables), definitionID: decisionID, version: 1 };
  return (
    evaluateDecision?.(request, now) ?? {
      status: 'FAILED',
      errorType: 'DecisionNotFound',
      message: `The project has no decision ${JSON.stringify(decisionID)} in any version`,
    }
  );
}
