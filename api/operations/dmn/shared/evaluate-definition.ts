/** Evaluates a stored version for a caller and records the inputs and results. */
import type { z } from 'zod';
import { recordExecution } from '../../../../store/decisions/executed.js';
import { findDefinitionByFile, type DecisionDefinition } from '../../../../store/decisions/decisions.js';
import type { ApiContext } from '../../../context.js';
import { notFound, problem, type Problem } from '../../../contract/problem.js';
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';
import { modelOf } from './models.js';
import type { evaluateStoredRequest, evaluationResults } from './schemas.js';
import { evaluate } from '@perdure/dmn/work.js';

/** Stored models are evaluated on the event loop: for most of them, the transfer to a thread would take longer. */
const turns = new KeyedMutex();

type Request = z.output<typeof evaluateStoredRequest>;

/** @param found the version that the path names; the request can select another version of its file */
export async function evaluateDefinition(
  { store }: ApiContext,
  found: DecisionDefinition | undefined,
  request: Request,
  executedBy: string,
): Promise<{ status: 200; body: z.output<typeof evaluationResults> } | Problem<'NOT_FOUND' | 'BAD_REQUEST'>> {
  const definition = await inVersion(store, found, request.version);
  const model = definition && (await modelOf(store, definition));
  if (definition === undefined || model === undefined)
    return notFound('no such decision definition, or no such version of it');
  const { context, decisions, decisionServices, errorMode, businessId } = request;
  const evaluated = await turns.run(executedBy, () =>
    evaluate(model, context, { wanted: { decisions, services: decisionServices }, mode: errorMode, now: Date.now() }),
  );
  if (!evaluated.ok) return problem('BAD_REQUEST', evaluated.message);
  const { projectID, definitionID, definitionsID } = definition;
  const outputs = Object.fromEntries(Object.entries(evaluated.results).map(([name, { value }]) => [name, value]));
  await recordExecution(store, {
    projectID,
    definitionID,
    definitionsID,
    businessID: businessId,
    executedBy,
    inputs: context,
    outputs,
  });
  return { status: 200, body: evaluated.results };
}

async function inVersion(
  store: ApiContext['store'],
  found: DecisionDefinition | undefined,
  version: number | undefined,
): Promise<DecisionDefinition | undefined> {
  if (found === undefined || version === undefined || version === found.version) return found;
  return findDefinitionByFile(store, found.projectID, found.definitionsID, version);
}
