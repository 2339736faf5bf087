/** A large result stays in the history of the workflow that ran the task; only the history has it. */
import type protocol from '@temporalio/proto';
import type { Payload } from '@temporalio/common';
import type { Json } from '@perdure/engine/contract/json.js';
import type { JobKey } from '../../store/work/executions/executions.js';
import { runnerID } from './executions.js';
import { ForeignCodec } from './foreign-codec.js';
import type { TemporalTasksContext } from './options.js';

type Event = protocol.temporal.api.history.v1.IHistoryEvent;

/** @throws when Temporal does not respond */
export async function largeResult({ client, encryption }: TemporalTasksContext, key: JobKey): Promise<Json> {
  const { events } = await client.workflow.getHandle(runnerID(key)).fetchHistory();
  const payload = (events ?? []).map(resultIn).find((one) => one !== undefined);
  if (payload === undefined) throw new Error(`The history of ${runnerID(key)} has no result`);
  const [decoded] = await new ForeignCodec(encryption).decode([payload]);
  return JSON.parse(Buffer.from(decoded!.data ?? []).toString()) as Json;
}

/** Of the work of others: the reports come later, and return nothing. */
function resultIn(event: Event): Payload | undefined {
  const { activityTaskCompletedEventAttributes: activity, childWorkflowExecutionCompletedEventAttributes: child } =
    event;
  const result = activity?.result?.payloads?.[0] ?? child?.result?.payloads?.[0];
  return result ?? event.nexusOperationCompletedEventAttributes?.result ?? undefined;
}
