/**
 * The three ways of a job result to its instance:
 *
 * 1. `handedOver`: a step commit of this process waits for the result. It gets the result in memory, without a row, and the
 *    next commit writes both.
 * 2. `woken`: the result is written, and the row of the instance has the mark of a lingering commit. The commit is woken, in
 *    memory or by NOTIFY.
 * 3. `signaled`: the result is written, and nothing lingers. The workflow is signaled, for this result or for an earlier
 *    command that it has not read yet.
 *
 * A written result that is not handled within 5 s is signaled again by the outbox relay.
 */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { AppliedResult } from '../store/hot-instances/job-results.js';
import { MAX_INLINE_COMMAND_BYTES } from '../store/instances/commands.js';
import { claimingResult, completeJob, type JobCompletion, type JobRefusal } from '../store/work/job-ends.js';
import { deliverAndAwait, type CommandDelivery } from './deliver-command.js';
import type { Lingers } from './lingers.js';

export type ResultWay = 'handedOver' | 'woken' | 'signaled';

export interface ResultDelivery extends CommandDelivery {
  /** Step commits of this process; undefined without a workflow worker. */
  readonly lingers: Pick<Lingers, 'handOver'> | undefined;
}

/** A result that is written. */
export interface DeliveredResult {
  readonly kind: 'delivered';
  readonly way: ResultWay;
  readonly commandID: string;
  /** Time since the job was last leased; absent if it never was, and if the same result is reported again. */
  readonly workedSeconds?: number | undefined;
  /** Undefined if it is unknown when the time is up. */
  readonly outcome: Promise<CommandOutcome | undefined>;
}

/** A caller who wants a response sooner gets it from the row of the command. */
const MIN_WAIT_MS = 2_000;

/**
 * Completes a job: chooses the way of its result, and waits for what the instance makes of it.
 * @param waitMilliseconds the longest wait for the outcome of a written result
 */
export async function deliverResult(
  delivery: ResultDelivery,
  completion: JobCompletion,
  waitMilliseconds: number,
): Promise<DeliveredResult | JobRefusal> {
  const applied = waitMilliseconds < MIN_WAIT_MS ? undefined : await handOver(delivery, completion);
  if (applied) return { kind: 'delivered', way: 'handedOver', ...applied, outcome: Promise.resolve(applied.outcome) };
  // Also after a hand-over whose end is unknown: the first of the two writers wins, and the same result is recognized.
  const submitted = await completeJob(delivery.store, completion);
  if (submitted.kind === 'refused') return submitted;
  const { commandID, workedSeconds } = submitted;
  const way = typeof submitted.delivery === 'object' ? 'woken' : 'signaled';
  const outcome = deliverAndAwait(delivery, submitted, waitMilliseconds);
  return { kind: 'delivered', way, commandID, workedSeconds, outcome };
}

/** Only results of lease holders: those of operators are audited. Large ones travel by reference to their row. */
async function handOver({ lingers }: ResultDelivery, completion: JobCompletion): Promise<AppliedResult | undefined> {
  const { clientID, variables = {}, result = {} } = completion;
  const length = JSON.stringify(variables).length + JSON.stringify(result).length;
  if (clientID === undefined || length > MAX_INLINE_COMMAND_BYTES) return undefined;
  return lingers?.handOver(completion, () => claimingResult({ ...completion, clientID }));
}
