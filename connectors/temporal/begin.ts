/**
 * Begins the execution of a leased job, or takes hold of the one that it has. The beginning is recorded with the job first,
 * so that a job has at most one execution, whichever process dies.
 */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { errorMessage } from '@perdure/lib/error-message.js';
import { graphOfInstance } from '../../store/definitions/graph-of-instance.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { recordBeginning, recordStart, type Beginning, type JobKey } from '../../store/work/executions/executions.js';
import type { HandedOutJob } from '../../store/work/job-queue.js';
import { TaskError } from '../results/task-error.js';
import { cancelRunner, findRunner, runnerID, startRunner } from './executions.js';
import type { TemporalTasksContext } from './options.js';
import { readTask, type TaskOnTemporal } from './read-task.js';
import { reportEnd } from './report.js';
import { ID_IN_USE, idInUse } from './runner/messages.js';

/** gRPC status code. */
const INVALID_ARGUMENT = 3;

/** The same for all connectors: any of them reports under the lease of another. */
export const CLIENT_ID = 'connectors-temporal';

/** Never throws. A job that could not begin is leased again when its lease ends. */
export async function begin(context: TemporalTasksContext, projectID: string, job: HandedOutJob): Promise<void> {
  const key = parseExecutionKey(job.executionKey)!;
  try {
    await beginOrAttach(context, projectID, job, key);
  } catch (error) {
    context.logger.warn(
      { executionKey: job.executionKey, error: errorMessage(error) },
      'task on Temporal could not begin; it is leased again',
    );
  }
}

async function beginOrAttach(
  context: TemporalTasksContext,
  projectID: string,
  job: HandedOutJob,
  key: JobKey,
): Promise<void> {
  const lease = { clientID: CLIENT_ID, leaseToken: job.leaseToken };
  const beginning = await recordBeginning(context.store, key, lease);
  // The lease is lost; or the execution is known, and the next look finds it.
  if (!beginning || beginning.runID !== null) return;
  try {
    const isFound = !beginning.isFirst && (await attach(context, job, key, beginning));
    if (!isFound) await start(context, projectID, job, key, beginning.token);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    await reportEnd(context, key, { ...lease, projectID }, { kind: 'failed', error });
  }
}

/**
 * Takes hold of an execution that an earlier attempt may have started.
 * @returns false if Temporal has none, and none was forgotten
 * @throws TaskError `TEMPORAL_ID_IN_USE`, `TEMPORAL_GONE`
 */
async function attach(
  context: TemporalTasksContext,
  job: HandedOutJob,
  key: JobKey,
  { token, isOld }: Beginning,
): Promise<boolean> {
  const found = await findRunner(context, key, token);
  if (found && !found.isOurs) throw new TaskError(ID_IN_USE, idInUse(runnerID(key)));
  if (!found && isOld) throw gone(key);
  if (found) await keep(context, job, key, found.runID);
  return found !== undefined;
}

export function gone(key: JobKey): TaskError {
  return new TaskError(
    'TEMPORAL_GONE',
    `Temporal does not have the execution ${runnerID(key)} anymore. Its work may have been done, so it is not started again. Resolve the incident to start it again, or complete the job.`,
  );
}

async function start(
  context: TemporalTasksContext,
  projectID: string,
  job: HandedOutJob,
  key: JobKey,
  token: string,
): Promise<void> {
  const { work, input } = await taskOf(context, projectID, job);
  const runID = await startRunner(context, key, { executionKey: job.executionKey, token, work, input }).catch(
    (error: unknown) => {
      throw isInvalid(error)
        ? new TaskError('TEMPORAL_TASK_INVALID', `Temporal refused it: ${reasonOf(error)}`)
        : error;
    },
  );
  if (runID !== undefined) return keep(context, job, key, runID);
  const found = await findRunner(context, key, token);
  if (!found?.isOurs) throw new TaskError(ID_IN_USE, idInUse(runnerID(key)));
  await keep(context, job, key, found.runID);
}

async function taskOf(
  { store, graphs, allowed }: TemporalTasksContext,
  projectID: string,
  job: HandedOutJob,
): Promise<TaskOnTemporal> {
  const graphSha256 = await graphOfInstance(store, job.workflowID);
  const nodes = graphSha256 === undefined ? [] : (await graphs.get(graphSha256)).graph.nodes;
  const node = nodes.find(({ id }) => id === job.nodeID);
  const mappings = (node && 'inputs' in node && node.inputs) || [];
  return readTask(job, mappings, Object.hasOwn(allowed, projectID) ? allowed[projectID] : undefined);
}

/** Records that it runs. What was started for a job that has ended is canceled. */
async function keep(
  context: TemporalTasksContext,
  { taskType }: HandedOutJob,
  key: JobKey,
  runID: string,
): Promise<void> {
  const { store, namespace } = context;
  // The workflow of others is shown instead, once it has started.
  const shown = taskType === 'temporal:workflow' ? undefined : { namespace, workflowID: runnerID(key), runID };
  if (!(await recordStart(store, key, runID, shown))) await cancelRunner(context, key);
}

/** Requests that Temporal refuses for good, such as an id that is too long. */
function isInvalid(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code === INVALID_ARGUMENT;
}

function reasonOf(error: unknown): string {
  return errorMessage(error instanceof ServiceError && error.cause ? error.cause : error);
}
