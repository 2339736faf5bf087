/** Evaluates a stored version for a caller and records the inputs and results. */
import type { z } from 'zod';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThread } from '@perdure/dmn/threads.js';
import { recordExecution } from '../../../../store/decisions/executed.js';
import { findDefinitionByFile, type DecisionDefinition } from '../../../../store/decisions/decisions.js';
import { markUsed } from '../../../../store/decisions/change-definitions.js';
import type { ApiContext } from '../../../context.js';
import { notFound, problem, type Problem } from '../../../contract/problem.js';
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';
import type { evaluateStoredRequest, evaluationResults } from './schemas.js';
import { evaluate, type Evaluated } from '@perdure/dmn/work.js';

/** Stored models are evaluated on the event loop: for most of them, the transfer to a thread would take longer. */
const onLoop = new KeyedMutex();

/** On the event loop: some milliseconds. An evaluation that needs more begins again in a thread. */
const STEPS_ON_LOOP = 15_000;

type Request = z.output<typeof evaluateStoredRequest>;

/** @param found the version that the path names; the request can select another version of its file */
export async function evaluateDefinition(
  { store, decisionModels }: ApiContext,
  found: DecisionDefinition | undefined,
  request: Request,
  { executedBy, turns }: { executedBy: string; turns: Turns },
): Promise<{ status: 200; body: z.output<typeof evaluationResults> } | Problem<'NOT_FOUND' | 'BAD_REQUEST'>> {
  const definition = await inVersion(store, found, request.version);
  const model = definition && (await decisionModels.of(definition, store));
  if (definition === undefined || model === undefined)
    return notFound('no such decision definition, or no such version of it');
  const { context, decisions, decisionServices, errorMode, businessId } = request;
  const how = { wanted: { decisions, services: decisionServices }, mode: errorMode, now: Date.now() };
  const first = await onLoop.run(executedBy, () => evaluate(model, context, how, STEPS_ON_LOOP));
  const evaluated =
    first.ok && first.isSpent ? await evaluateInThread(store, definition.definitionID, { context, how, turns }) : first;
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

async function evaluateInThread(
  store: ApiContext['store'],
  definitionID: string,
  { context, how, turns }: { context: Request['context']; how: Parameters<typeof evaluate>[2]; turns: Turns },
): Promise<Evaluated> {
  const files = await markUsed(store, definitionID);
  if (files === undefined) return { ok: false, message: 'The decision definition was deleted' };
  const { xml, imported } = files;
  const work = await inThread(
    { kind: 'evaluate', key: definitionID, xml, imported, contexts: [context], ...how },
    turns,
  );
  return work.evaluated?.[0] ?? { ok: false, message: 'Evaluating the decisions takes too much time or memory' };
}
