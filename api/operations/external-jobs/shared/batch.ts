/** Many jobs in one request. Each has its own result, and none waits for another. */
import type { z } from 'zod';
import type { EndSubmitted, JobRefusal, Requeued } from '../../../../store/work/job-ends.js';
import type { Request, Submitted } from '../../../../store/instances/submit-command.js';
import { submitAndAwait } from '../../../commands/commands.js';
import type { ApiContext } from '../../../context.js';
import { isProblem } from '../../../contract/problem.js';
import { excessOf } from '../../../contract/variables.js';
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { jobOfInstance } from './external-job.js';
import { measureEnd } from './measure-end.js';
import type { batchResponse } from './schemas.js';

type BatchResult = z.output<typeof batchResponse>['results'][number];

interface BatchItem {
  readonly executionKey: string;
  readonly workflowID: string;
  readonly leaseToken?: string | undefined;
  readonly variables?: Variables | undefined;
  readonly result?: JobResult | undefined;
}

interface BatchEnd<Item extends BatchItem> {
  readonly end: (
    item: Item,
    job: { workflowID: string; number: number },
  ) => Promise<EndSubmitted | Requeued | JobRefusal>;
  /** The result of a job whose end the instance has applied. */
  readonly done: 'completed' | 'failed';
}

/** Jobs of one batch that are written concurrently. The connection pool also serves other requests. */
const atOnce = 4;

/**
 * Ends the jobs of a batch; the results are in the order of the items. The wait budget applies to the whole batch. A
 * job whose end is written but not yet applied when the budget ends counts as done, because the write cannot be lost.
 */
export async function endBatch<Item extends BatchItem>(
  context: ApiContext,
  items: readonly Item[],
  batch: BatchEnd<Item>,
  waitMilliseconds: number,
): Promise<BatchResult[]> {
  const deadline = performance.now() + waitMilliseconds;
  const outcomes: Promise<BatchResult>[] = [];
  const queue = items.entries();
  // The runners share the iterator, so each item is taken once.
  const runner = async () => {
    for (const [index, item] of queue) {
      const written = await endOne(context, item, batch);
      outcomes[index] =
        'status' in written ? Promise.resolve(written) : outcomeOf(context, item, written, batch, deadline);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return Promise.all(outcomes);
}

/** Writes the end of one job. Returns a result when there is nothing to wait for. */
async function endOne<Item extends BatchItem>(
  context: ApiContext,
  item: Item,
  { end, done }: BatchEnd<Item>,
): Promise<Submitted | BatchResult> {
  const excess = excessOf(item.variables) ?? excessOf(item.result);
  if (excess !== undefined) return failed(item, 'PAYLOAD_TOO_LARGE', excess);
  const job = jobOfInstance(item.executionKey, item.workflowID);
  const ended = job && (await end(item, job));
  if (ended === undefined || (ended.kind === 'refused' && ended.code === 'NOT_FOUND'))
    return failed(item, 'NOT_FOUND', 'No such job of this instance');
  if (ended.kind === 'refused') return failed(item, ended.code, ended.message);
  measureEnd(context, ended, done);
  return ended.kind === 'requeued' ? { executionKey: item.executionKey, status: 'requeued' } : ended;
}

async function outcomeOf<Item extends BatchItem>(
  context: ApiContext,
  item: Item,
  submitted: Submitted,
  { done }: BatchEnd<Item>,
  deadline: number,
): Promise<BatchResult> {
  const answer = await submitAndAwait(context, submitted, Math.max(0, deadline - performance.now()));
  return isProblem(answer)
    ? failed(item, answer.code, answer.message)
    : { executionKey: item.executionKey, status: done };
}

function failed({ executionKey }: BatchItem, code: string, message: string): BatchResult {
  return { executionKey, status: 'error', error: `${code}: ${message}` };
}

/** The members that every item of a batch shares. */
export function commonMembers(
  item: BatchItem,
  common: Pick<Request, 'projectID' | 'actor' | 'traceContext' | 'audit'> & { clientID: string | undefined },
) {
  const audit = common.audit && { ...common.audit, executionKey: item.executionKey };
  return { ...common, audit, leaseToken: item.leaseToken, awaited: true, variables: item.variables };
}
