/** The histories of all instances, over all the runs that each continued in, replayed with the workflows as they are now. */
import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { temporal } from '@temporalio/proto';
import { compiledScript } from '../../dev/repository.js';
import { StoredPayloadCodec } from '../../temporal/stored-payload-codec.js';
import {
  missesRemovedValue,
  runsOfInstance,
  type RunOfInstance,
} from '../../host/admin/check-upgrade/removed-values.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** @returns a line for the report */
export async function checkReplays(store: Database, client: Client, violations: Violations): Promise<string> {
  const timedOut = new Map<string, number>();
  // An instance that is canceled before its start reaches Temporal has a step and no workflow.
  const { rows } = await store.query<{ id: string }>(
    `SELECT workflow_id AS id FROM instances i WHERE step_count > 0 AND NOT EXISTS (
       SELECT FROM steps s WHERE s.workflow_id = i.workflow_id AND s.number = 1 AND s.inputs::jsonb ? 'endedElsewhere'
     ) ORDER BY number`,
  );
  const runsSeen = new Map<string, RunOfInstance>();
  const histories = (async function* () {
    for (const { id } of rows) {
      const runs: History[] = [];
      for await (const history of runsOf(client, id)) runs.push(history);
      const seen = runsOfInstance(runs);
      for (const [index, history] of runs.entries()) {
        runsSeen.set(runIDOf(history), seen[index]!);
        for (const why of timeoutsIn(history)) timedOut.set(why, (timedOut.get(why) ?? 0) + 1);
        yield { workflowId: id, history };
      }
    }
  })();
  let replayed = 0;
  let removed = 0;
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(
    {
      workflowBundle: { code: readFileSync(compiledScript('workflow-bundle.js'), 'utf8') },
      dataConverter: { payloadCodecs: [new StoredPayloadCodec(store)] },
    },
    histories,
  )) {
    if (error !== undefined && missesRemovedValue(error, runsSeen.get(runId))) {
      removed += 1;
      continue;
    }
    replayed += 1;
    violations.check('R16', error === undefined, () => `the replay of ${workflowId} failed: ${error?.message}`);
  }
  return `${replayed} runs replayed, ${removed} without their values; workflow tasks timed out: ${[...timedOut].map(([why, count]) => `${count} ${why}`).join(', ') || 'none'}`;
}

function runIDOf({ events }: History): string {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
}

/** `SCHEDULE_TO_START`: no worker polled the queue of the worker that had the instance in memory; `START_TO_CLOSE`: the worker that had taken the task was down. */
function timeoutsIn({ events }: History): string[] {
  const { TimeoutType } = temporal.api.enums.v1;
  return (events ?? []).flatMap(({ workflowTaskTimedOutEventAttributes: timeout }) =>
    timeout ? [TimeoutType[timeout.timeoutType ?? 0]!.replace('TIMEOUT_TYPE_', '')] : [],
  );
}

/** From the first run to the last. */
export async function* runsOf(client: Client, workflowID: string): AsyncGenerator<History> {
  const { raw } = await client.workflow.getHandle(workflowID).describe();
  for (let runID = raw.workflowExecutionInfo?.firstRunId ?? undefined; runID;) {
    const history: History = await client.workflow.getHandle(workflowID, runID).fetchHistory();
    yield history;
    runID = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
}
