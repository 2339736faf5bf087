/** Evaluates the decision of a business rule task. */
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import type { ChildBinding } from '@perdure/engine/contract/facts.js';
import type { ModelCache } from '@perdure/dmn';
import { findCalledDecision } from '../store/decisions/called.js';
import { markUsed } from '../store/decisions/change-definitions.js';
import { decisionNotFound, decisionOutcome, type Question } from './decision-outcome.js';
import type { Database } from '../store/sql/database.js';

export interface DecisionRequest extends Question {
  projectID: string;
  workflowID: string;
  binding: ChildBinding;
}

/** Evaluates a decision of the instance's own project. */
export async function evaluateDecision(
  store: Database,
  models: ModelCache,
  asked: DecisionRequest,
): Promise<DecisionEvaluation['outcome']> {
  const { decisionID, binding } = asked;
  const called = await findCalledDecision(store, asked);
  const model = called && (await models.get(called.definitionID, () => markUsed(store, called.definitionID)));
  if (called === undefined || model === undefined) return decisionNotFound(decisionID, binding);
  return decisionOutcome(model, called, asked);
}
