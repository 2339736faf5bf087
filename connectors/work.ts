/** One leased job that sends requests: performs it, keeps its lease, and reports its end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { Node } from '@perdure/engine/model/graph.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { Egress } from '../outbound/egress/egress.js';
import type { Secrets } from '../outbound/secrets/secret.js';
import { CONNECTORS } from '../store/audit/machine-actors.js';
import type { GraphCache } from '../store/definitions/graph-cache.js';
import type { Notifications } from '../store/notifications.js';
import type { Database } from '../store/sql/database.js';
import { parseExecutionKey } from '../store/sql/ids.js';
import { isPermanent, refusalReason } from '../store/sql/permanence.js';
import { completeJob, MAX_ERROR_MESSAGE_LENGTH, throwJobError } from '../store/work/job-ends.js';
import { extendLease, type HandedOutJob } from '../store/work/job-queue.js';
import { graphOfInstance } from '../store/definitions/graph-of-instance.js';
import type { Tracer } from '../telemetry/tracer.js';
import type { InstanceGateway } from '../store/instances/start.js';
import { MAX_BACKOFF_MS, readBackoff } from './results/expressions.js';
import { TaskError } from './results/task-error.js';

export interface SendingTasksOptions {
  store: Database;
  hearTasks: Notifications['hearTasks'];
  graphs: GraphCache;
  egress: Egress;
  secrets: Secrets;
  tracer: Tracer;
  logger: Logger;
  /** Notifies an instance that its job has ended. The outbox relay retries. */
  deliver: InstanceGateway['deliver'];
}

export const LEASE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** With the delays between them, about ten minutes. */
const MAX_REPORTS = 25;

class LeaseLost extends Error {}

/** The job cannot be performed now, although nothing is wrong with it. It is leased again, and that costs no attempt. */
export class NotNow extends Error {}

/** A leased job, and what its model says about it. */
export interface LeasedTask {
  readonly projectID: string;
  readonly clientID: string;
  readonly job: HandedOutJob;
  /** Undefined if its instance has just been removed. */
  readonly node: Node | undefined;
  readonly traceContext: TraceContext | undefined;
}

export interface Completion {
  readonly variables: Variables;
  readonly result?: JobResult;
}

/** A kind of tasks that send requests. */
export interface TaskKind {
  /** `HTTP task`, for traces and the log. */
  readonly name: string;
  /**
   * @param signal aborted when the result is no longer needed
   * @throws TaskError; NotNow; the reason of the signal if it is aborted
   */
  perform(options: SendingTasksOptions, task: LeasedTask, signal: AbortSignal): Promise<Completion>;
}

/**
 * Never throws. A job whose end cannot be reported is leased again when its lease ends.
 * @param stopping ends the work without a report
 */
export async function work(
  kind: TaskKind,
  options: SendingTasksOptions,
  clientID: string,
  projectID: string,
  job: HandedOutJob,
  stopping: AbortSignal,
): Promise<void> {
  const { workflowID, number } = parseExecutionKey(job.executionKey)!;
  const held = { projectID, workflowID, number, clientID, leaseToken: job.leaseToken };
  const lost = new AbortController();
  const heartbeat = setInterval(() => void keepLease(), LEASE_MS / 3);
  let leasedUntil = Date.now() + LEASE_MS;
  async function keepLease(): Promise<void> {
    try {
      const until = await extendLease(options.store, { ...held, lockDurationMilliseconds: LEASE_MS });
      if (until === undefined) lost.abort(new LeaseLost());
      else leasedUntil = Date.now() + LEASE_MS;
    } catch {
      // Postgres is down: another connector cannot lease the job either, before the lease ends.
      if (Date.now() > leasedUntil) lost.abort(new LeaseLost());
    }
  }
  const signal = AbortSignal.any([lost.signal, stopping]);
  try {
    const end = await perform(kind, options, { projectID, clientID, job }, signal);
    const holder = { ...held, actor: CONNECTORS, awaited: false, traceContext: job.traceContext ?? undefined };
    await untilReported(end, (given) => report(options, holder, given, job), signal);
  } catch (error) {
    if (!signal.aborted)
      options.logger.warn(
        { executionKey: job.executionKey, error: errorMessage(error) },
        `${kind.name} could not begin or be reported; it is leased again`,
      );
  } finally {
    clearInterval(heartbeat);
  }
}

export type End = ({ kind: 'completed' } & Completion) | { kind: 'failed'; error: TaskError };

/** A connector that is stopped or has lost its lease throws. */
async function perform(
  kind: TaskKind,
  options: SendingTasksOptions,
  leased: Pick<LeasedTask, 'projectID' | 'clientID' | 'job'>,
  signal: AbortSignal,
): Promise<End> {
  const { store, graphs, tracer, logger } = options;
  const { projectID, job } = leased;
  const graphSha256 = await graphOfInstance(store, job.workflowID);
  const nodes = graphSha256 === undefined ? [] : (await graphs.get(graphSha256)).graph.nodes;
  const node = nodes.find(({ id }) => id === job.nodeID);
  const span = {
    name: kind.name,
    kind: 'internal',
    parent: job.traceContext ?? undefined,
    attributes: { 'perdure.project_id': projectID, 'perdure.node_id': job.nodeID },
    conclude: (end: End) =>
      end.kind === 'completed' ? {} : { attributes: { 'error.type': end.error.code }, isError: true },
  } as const;
  return tracer.trace<End>(span, async (traceContext) => {
    try {
      return { kind: 'completed', ...(await kind.perform(options, { ...leased, node, traceContext }, signal)) };
    } catch (error) {
      if (signal.aborted || error instanceof NotNow) throw error;
      if (error instanceof TaskError) return { kind: 'failed', error };
      // A bug. It costs an attempt, so the service is not called forever.
      logger.error({ executionKey: job.executionKey, error: errorMessage(error) }, `${kind.name} failed unexpectedly`);
      return {
        kind: 'failed',
        error: new TaskError('CONNECTOR_FAILED', 'The connector failed unexpectedly. See its log.', {
          retryable: true,
        }),
      };
    }
  });
}

type HeldJob = Parameters<typeof completeJob>[1];

async function report(options: SendingTasksOptions, held: HeldJob, end: End, job: HandedOutJob): Promise<void> {
  const ended =
    end.kind === 'completed'
      ? await completeJob(options.store, { ...held, variables: end.variables, result: end.result })
      : await fail(options, held, end.error, job);
  if (ended.kind === 'submitted') await options.deliver(held.workflowID, ended.command, ended.delivery);
}

async function fail({ store }: SendingTasksOptions, held: HeldJob, error: TaskError, job: HandedOutJob) {
  const { retryable = false, retryAfterMilliseconds = 0, variables } = error.options;
  return throwJobError(store, {
    ...held,
    errorCode: error.code,
    errorMessage: error.message.slice(0, MAX_ERROR_MESSAGE_LENGTH),
    variables,
    retryable,
    retryBackoffMilliseconds: retryable
      ? Math.min(Math.max(readBackoff(job.headers), retryAfterMilliseconds), MAX_BACKOFF_MS)
      : undefined,
  });
}

/**
 * Reports a result until the lease ends, because the service has acted. A result that the database refuses for good fails
 * the job without another attempt: the service must not be called again.
 * @throws the error of the last attempt; the job is leased again when its lease ends
 */
export async function untilReported(
  end: End,
  reportEnd: (end: End) => Promise<void>,
  signal: AbortSignal,
  pauseMilliseconds = FIRST_PAUSE_MS,
): Promise<void> {
  let given = end;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await reportEnd(given);
    } catch (error) {
      if (attempts === MAX_REPORTS) throw error;
      if (isPermanent(error)) {
        // The failure itself was refused, and there is no smaller report.
        if (given !== end) throw error;
        given = { kind: 'failed', error: new TaskError('RESULT_UNSTORABLE', unstorable(refusalReason(error))) };
      } else {
        await delay(Math.min(pauseMilliseconds * 2 ** (attempts - 1), MAX_PAUSE_MS), undefined, { signal });
      }
    }
  }
}

function unstorable(reason: string): string {
  return `The database cannot store the result of the request: ${reason}. The service has answered, so the request is not repeated.`;
}
