/**
 * Calls to the outside are local activities, which add one event to the history and never their input. While a call fails
 * (Postgres is down), the workflow waits for a timer and retries. Any signal ends the wait.
 */
import { condition, proxyLocalActivities, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { localInput } from './local-input.js';
import type { TaskLoad } from './instance/task-load.js';

/**
 * Attempts are counted, because SDK 1.24 keeps retrying beyond `scheduleToCloseTimeout`. Refused connections use them
 * up in two seconds; a workflow task has ten before the worker must ask for more time.
 */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 4, maximumAttempts: 4 },
});

/** A single attempt, for calls that can be repeated later while the instance does something else. */
const once = proxyLocalActivities<Activities>({ startToCloseTimeout: '3s', retry: { maximumAttempts: 1 } });

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Half of the server's limit for a run: waiting continues in a new one. */
const MAX_EVENTS_OF_WAITING = 20_000;

/** Failed attempts have filled the history of the run. */
export class RunIsFull extends Error {
  override readonly name = 'RunIsFull';
}

export type ActivityInput<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type MoreInput<Name extends keyof Activities> =
  Parameters<Activities[Name]> extends [unknown, ...infer More] ? More : [];
export type ActivityOutput<Name extends keyof Activities> = Awaited<ReturnType<Activities[Name]>>;

/**
 * Runs one activity until it succeeds. The workflow must not call another one in the meantime.
 * @param load of the workflow task, which ends first if it has no room for the result
 * @param summary text shown for the activity in the Temporal UI
 * @throws RunIsFull if the activity has failed for days
 */
export async function call<Name extends keyof Activities>(
  load: TaskLoad,
  name: Name,
  input: ActivityInput<Name>,
  summary: string,
  ...more: MoreInput<Name>
): Promise<ActivityOutput<Name>> {
  const retries = new Retries(load, name);
  for (;;) {
    const answer = await attemptWithRetries(load, name, input, summary, ...more);
    if (answer.ok) return answer.value;
    await retries.wait();
  }
}

/** Runs one activity, with its quick retries. The workflow must not call another one in the meantime. */
export async function attemptWithRetries<Name extends keyof Activities>(
  load: TaskLoad,
  name: Name,
  input: ActivityInput<Name>,
  summary: string,
  ...more: MoreInput<Name>
): Promise<Performed<Name>> {
  await load.makeRoom();
  const answer = await perform<Name>(local[name], [input, ...more], summary);
  if (answer.ok) load.add(answer.value);
  return answer;
}

/** The pauses between the attempts of one call. */
export class Retries {
  #failures = 0;

  constructor(
    private readonly load: TaskLoad,
    private readonly name: keyof Activities,
  ) {}

  /**
   * Waits until the call is worth another attempt.
   * @throws RunIsFull if the activity has failed for days
   */
  async wait(): Promise<void> {
    this.#failures += 1;
    if (workflowInfo().historyLength > MAX_EVENTS_OF_WAITING)
      throw new RunIsFull(`${this.name} has failed ${this.#failures} times`);
    await this.load.endTask(() => pause(pauseAfter(this.#failures)));
  }
}

/**
 * Ends early with the next workflow task. A command is in Postgres before its signal arrives, so Postgres is available
 * again. A client that cancels after an outage must not wait another 30 seconds.
 */
async function pause(milliseconds: number): Promise<void> {
  const { historyLength } = workflowInfo();
  await condition(() => workflowInfo().historyLength !== historyLength, milliseconds);
}

/** Tries one activity once; undefined if it failed. The caller has made room in the workflow task. */
export async function attempt<Name extends keyof Activities>(
  load: TaskLoad,
  name: Name,
  input: ActivityInput<Name>,
  summary: string,
): Promise<ActivityOutput<Name> | undefined> {
  const answer = await perform<Name>(once[name], [input], summary);
  if (!answer.ok) return undefined;
  load.add(answer.value);
  return answer.value;
}

/** The delay before the next attempt in milliseconds, doubling from 1 to 30 s. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10), MAX_PAUSE_MS);
}

export type Performed<Name extends keyof Activities> = { ok: true; value: ActivityOutput<Name> } | { ok: false };

interface Performer<Name extends keyof Activities> {
  executeWithOptions(options: { summary: string }, args: unknown[]): Promise<ActivityOutput<Name>>;
}

async function perform<Name extends keyof Activities>(
  activity: unknown,
  input: readonly unknown[],
  summary: string,
): Promise<Performed<Name>> {
  try {
    return {
      ok: true,
      value: await (activity as Performer<Name>).executeWithOptions({ summary }, input.map(localInput)),
    };
  } catch (error) {
    // A local activity fails with its own failure, without an ActivityFailure around it.
    if (error instanceof TemporalFailure) return { ok: false };
    throw error;
  }
}
