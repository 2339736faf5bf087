/** Starts an instance, for every operation that does so. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { CachedResponse, KeyedRequest } from '../../../../store/projects/idempotency.js';
import { isTestProject, testInstanceID } from '../../../../store/projects/tests.js';
import { startInstance } from '../../../../store/instances/start.js';
import type {
  InstanceToStart,
  StartDetails,
  Started,
  StartRefusal,
  StartRequest,
  VersionToStart,
} from '../../../../store/instances/start.js';
import type { Database, Queryable } from '../../../../store/sql/database.js';
import type { ApiContext } from '../../../context.js';
import type { HandlerInput } from '../../../commands/operation.js';
import { withIdempotencyKey } from '../../../commands/with-idempotency-key.js';
import { isProblem, type Problem } from '../../../contract/problem.js';
import { refusalProblem } from '../../../commands/refusal.js';
import { awaitResult } from './result.js';
import { checkPlaces } from './check-places.js';
import type { startedInstance } from './schemas.js';

type StartedBody = z.output<typeof startedInstance>;

export interface StartedAnswer {
  readonly status: 201;
  readonly body: StartedBody;
}

type StartProblem = Problem<'NOT_FOUND' | StartRefusal['code']>;

export interface StartOptions {
  readonly idempotency: KeyedRequest | undefined;
  /** Returns the problem for variables that the start form refuses; called if the project and the process have it checked. */
  readonly checkForm?:
    ((database: Queryable, definitionID: string) => Promise<Problem<'BAD_REQUEST'> | undefined>) | undefined;
  /** How to wait for the result; absent if the caller did not ask for it. */
  readonly result?: ResultOptions | undefined;
}

interface ResultOptions {
  readonly waitMilliseconds: number;
  readonly fetchVariables?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the instance and starts its workflow in Temporal. If Temporal does not receive the start, the outbox relay
 * sends it again.
 */
export async function startOnce(
  context: ApiContext,
  request: VersionToStart & Omit<StartDetails, 'workflowID' | 'resultWaitMilliseconds'>,
  { idempotency, checkForm, result: wait }: StartOptions,
): Promise<StartedAnswer | StartProblem> {
  const toWrite = {
    ...request,
    workflowID: newWorkflowID(request.projectID),
    resultWaitMilliseconds: wait?.waitMilliseconds,
  };
  const written = await withIdempotencyKey<Started, StartProblem>(context, idempotency, async (database) => {
    const started = await writeStart(database, toWrite, checkForm);
    return isProblem(started)
      ? { kind: 'nothing', refused: started }
      : { kind: 'done', effect: started, answer: { status: 201, body: bodyOf(started.instance) } };
  });
  if (written.kind === 'nothing') return written.refused;
  // Listen before starting: the instance can end before the start call returns.
  const listening = resultOf(context, request.projectID, toWrite.workflowID, wait, true);
  const { instance, queued } = written.effect;
  const [result] = await Promise.all([listening, queued ? undefined : context.instances.start(instance)]);
  return withResult(bodyOf(instance), result);
}

type Start = HandlerInput<{ readonly projectID: string }, unknown, { readonly fetchVariables?: string[] }, unknown>;

/** The wait for the result that a request asks for; undefined if it asks for none. */
export function askedResult({
  headers: { preferredWaitMilliseconds },
  body: { fetchVariables },
  signal,
}: Pick<Start, 'headers' | 'body' | 'signal'>): ResultOptions | undefined {
  if (preferredWaitMilliseconds === undefined) return undefined;
  return { waitMilliseconds: preferredWaitMilliseconds, fetchVariables, signal };
}

/** The response to a repeat: the same instance, with its present result. */
export async function startedBefore(input: Start, first: CachedResponse): Promise<StartedAnswer> {
  const body = first.body as StartedBody;
  const result = await resultOf(input.context, input.params.projectID, body.workflowID, askedResult(input));
  return withResult(body, result);
}

function newWorkflowID(projectID: string): string {
  return isTestProject(projectID) ? testInstanceID(randomUUID()) : randomUUID();
}

function bodyOf({ workflowID, definitionID, processID, version }: InstanceToStart): StartedBody {
  return { workflowID, definitionID, processId: processID, processVersion: version };
}

function resultOf(
  context: ApiContext,
  projectID: string,
  workflowID: string,
  wait: ResultOptions | undefined,
  isNew = false,
): Promise<StartedBody['result']> {
  return wait ? awaitResult(context, { ...wait, projectID, workflowID, isNew }) : Promise.resolve(undefined);
}

function withResult(body: StartedBody, result: StartedBody['result']): StartedAnswer {
  return { status: 201, body: result ? { ...body, result } : body };
}

async function writeStart(
  database: Database,
  request: StartRequest,
  checkForm: StartOptions['checkForm'],
): Promise<Started | StartProblem> {
  const places = request.startAt && (await checkPlaces(database, request));
  if (places !== undefined && 'kind' in places) return places;
  const started = await startInstance(database, { ...request, ...places }, checkForm);
  return started.kind === 'refused' ? refusalProblem(started) : started;
}
