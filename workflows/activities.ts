/**
 * Calling the outside. Each call first runs inside the workflow task, which costs the history one event; when that
 * does not succeed within seconds (Postgres is away), a regular activity tries until it does, so that the instance
 * waits and loses nothing.
 */
import { proxyActivities, proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';

/**
 * Attempts are counted because the SDK (1.24, seen) goes on retrying beyond `scheduleToCloseTimeout`. Refused
 * connections use them up in two seconds; a workflow task has ten before the worker must ask for more time.
 */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '100ms', backoffCoefficient: 4, maximumAttempts: 4 },
});

const lasting = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '15s' },
});

type Input<Name extends keyof Activities> = Parameters<Activities[Name]>[0];
type Output<Name extends keyof Activities> = Awaited<ReturnType<Activities[Name]>>;

/**
 * Runs one activity until it has succeeded.
 * @param summary what people read beside it in the Temporal UI
 */
export async function call<Name extends keyof Activities>(name: Name, input: Input<Name>, summary: string): Promise<Output<Name>> {
  try {
    return await perform<Name>(local[name], input, summary);
  } catch (error) {
    // A local activity fails with its own failure, not with an ActivityFailure around it.
    if (!(error instanceof TemporalFailure)) throw error;
    return await perform<Name>(lasting[name], input, summary);
  }
}

/** What local and regular activities have in common here. */
interface Performer<Name extends keyof Activities> {
  executeWithOptions(options: { summary: string }, args: [Input<Name>]): Promise<Output<Name>>;
}

function perform<Name extends keyof Activities>(activity: unknown, input: Input<Name>, summary: string): Promise<Output<Name>> {
  return (activity as Performer<Name>).executeWithOptions({ summary }, [input]);
}
