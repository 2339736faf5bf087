/**
 * Calling the outside: a local activity, which costs the history one event and puts its input nowhere. While that does not
 * succeed (Postgres is away), the workflow waits by timers, which hold nothing of what waits, and tries again. Whatever comes for it ends the wait.
 */
import { condition, proxyLocalActivities, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { localInput } from './local-input.js';
import type { TaskLoad } from './task-load.js';

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
const LONGEST_PAUSE_MS = 30_000;

/** Half of the server's limit for a run: waiting continues in a new one. */
const MOST_EVENTS_OF_WAITING = 20_000;

/** Nothing has succeeded for so long that the history is full of attempts. */
export class RunIsFull extends Error {
  override readonly name = 'RunIsFull';
}

export type ActivityInput<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type MoreInput<Name extends keyof Activities> = Parameters<Activities[Name]> extends [unknown, ...infer More] ? More : [];
export type ActivityOutput<Name extends keyof Activities> = Awaited<ReturnType<Activities[Name]>>;

/**
 * Runs one activity until it has succeeded. Nothing else of the workflow may call another one meanwhile.
 * @param load of the workflow task, which ends first where it has no room for the answer
 * @param summary what people read beside it in the Temporal UI
 * @throws RunIsFull when it has not succeeded for days
 */
export async function call<Name extends keyof Activities>(load: TaskLoad, name: Name, input: ActivityInput<Name>, summary: string, ...more: MoreInput<Name>): Promise<ActivityOutput<Name>> {
  for (let failures = 1; ; failures += 1) {
    await load.makeRoom();
    const answer = await perform<Name>(local[name], [input, ...more], summary);
    if (answer.ok) {
      load.add(answer.value);
      return answer.value;
    }
    if (workflowInfo().historyLength > MOST_EVENTS_OF_WAITING) throw new RunIsFull(`${name} has failed ${failures} times`);
    await pause(pauseAfter(failures));
  }
}

/**
 * Ends early with the next workflow task: a command, above all a cancel, is in Postgres before it comes, so that Postgres can be reached
 * again. Half a minute would be long for one who cancels when the outage is over.
 */
async function pause(milliseconds: number): Promise<void> {
  const { historyLength } = workflowInfo();
  await condition(() => workflowInfo().historyLength !== historyLength, milliseconds);
}

/** Tries one activity once; undefined when it did not succeed. The caller has made room in the workflow task. */
export async function attempt<Name extends keyof Activities>(load: TaskLoad, name: Name, input: ActivityInput<Name>, summary: string): Promise<ActivityOutput<Name> | undefined> {
  const answer = await perform<Name>(once[name], [input], summary);
  if (!answer.ok) return undefined;
  load.add(answer.value);
  return answer.value;
}

/** Doubles from a second to half a minute, in milliseconds. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
}

type Performed<Name extends keyof Activities> = { ok: true; value: ActivityOutput<Name> } | { ok: false };

interface Performer<Name extends keyof Activities> {
  executeWithOptions(options: { summary: string }, args: unknown[]): Promise<ActivityOutput<Name>>;
}

async function perform<Name extends keyof Activities>(activity: unknown, input: readonly unknown[], summary: string): Promise<Performed<Name>> {
  try {
    return { ok: true, value: await (activity as Performer<Name>).executeWithOptions({ summary }, input.map(localInput)) };
  } catch (error) {
    // A local activity fails with its own failure, without an ActivityFailure around it.
    if (error instanceof TemporalFailure) return { ok: false };
    throw error;
  }
}
