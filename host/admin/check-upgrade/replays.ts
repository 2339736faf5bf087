/** Replays histories of Temporal with this build's workflows. */
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { errorMessage } from '@perdure/lib/error-message.js';
import { missesRemovedValue, runsOfInstance, type RunOfInstance } from './removed-values.js';
import type { SampledInstance } from './sample.js';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

export interface Replays {
  replayed: number;
  /** Histories that Temporal has removed, or whose stored values are gone. */
  gone: number;
  failed: { instance: SampledInstance; what: string }[];
}

export async function replayHistories(
  client: Client,
  instances: readonly SampledInstance[],
  { bundlePath, dataConverter }: { bundlePath: string; dataConverter: DataConverter },
): Promise<Replays> {
  const byID = new Map(instances.map((instance) => [instance.workflowID, instance]));
  const seen = new Map<string, RunOfInstance>();
  const result: Replays = { replayed: 0, gone: 0, failed: [] };
  const histories = (async function* () {
    for (const { workflowID } of instances) {
      const runs = await runsOf(client, workflowID);
      if (runs.length === 0) result.gone += 1;
      const places = runsOfInstance(runs);
      for (const [index, history] of runs.entries()) {
        seen.set(runIDOf(history), places[index]!);
        yield { workflowId: workflowID, history };
      }
    }
  })();
  const options = { workflowBundle: { codePath: bundlePath }, dataConverter };
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(options, histories)) {
    if (error === undefined) result.replayed += 1;
    else if (missesRemovedValue(error, seen.get(runId))) result.gone += 1;
    else result.failed.push({ instance: byID.get(workflowId)!, what: errorMessage(error) });
  }
  return result;
}

/** From the first run that Temporal still has to the last. */
async function runsOf(client: Client, workflowID: string): Promise<History[]> {
  const runs: History[] = [];
  try {
    const { raw } = await client.workflow.getHandle(workflowID).describe();
    for (let runID = raw.workflowExecutionInfo?.firstRunId ?? undefined; runID;) {
      const history: History = await client.workflow.getHandle(workflowID, runID).fetchHistory();
      runs.push(history);
      runID = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return runs;
}

function isNotFound(error: unknown): boolean {
  return (error as { name?: string }).name === 'WorkflowNotFoundError' || (error as { code?: number }).code === 5;
}

function runIDOf({ events }: History): string {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
}
