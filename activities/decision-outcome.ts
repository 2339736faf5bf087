/** The outcome of one decision, for an instance that asks for it. */
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { ChildBinding } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { callDecision, type LoadedModel } from '@perdure/dmn';
import type { CalledDecision } from '../store/decisions/called.js';

type Outcome = DecisionEvaluation['outcome'];

/** A request to a decision. */
export interface Question {
  decisionID: string;
  /** All variables visible at the task. */
  variables: Variables;
  /** Epoch milliseconds: the value of `now()` in the decision. */
  now: number;
}

/**
 * Limit for the variables of an instance, as UTF-8 JSON: a larger result could not be stored, and Temporal would not
 * accept a payload much larger.
 */
export const MAX_RESULT_BYTES = 1024 * 1024;

export function decisionNotFound(decisionID: string, binding: ChildBinding): Outcome {
  return {
    status: 'FAILED',
    errorType: 'DecisionNotFound',
    message: `The project has no decision ${JSON.stringify(decisionID)} ${describe(binding)}`,
  };
}

function describe(binding: ChildBinding): string {
  if (binding.kind === 'versionTag') return `with the version tag ${JSON.stringify(binding.versionTag)}`;
  return binding.kind === 'deployment' ? 'from before the process was deployed' : 'in any version';
}

/** Strict: an error becomes an incident at the task instead of a null that the process continues with. */
export function decisionOutcome(
  model: LoadedModel,
  { definitionID, version }: CalledDecision,
  { decisionID, variables, now }: Question,
): Outcome {
  const failed = (errorCode: string, message: string): Outcome => ({
    status: 'FAILED',
    errorType: 'FeelError',
    errorCode,
    message: `Decision ${JSON.stringify(decisionID)} in version ${version}: ${message}`,
  });
  const called = callDecision(model, decisionID, variables, now);
  if (!called.ok) return failed(called.code, called.message);
  const bytes = Buffer.byteLength(JSON.stringify(called.value));
  if (bytes > MAX_RESULT_BYTES) {
    return failed(
      'BUDGET',
      `the result takes ${bytes} bytes, but the limit for the variables of an instance is ${MAX_RESULT_BYTES}. Return less, for instance only the ids of what was found.`,
    );
  }
  return { status: 'EVALUATED', value: called.value, definitionID, version };
}
