/** Invariants between the rows of one instance and what Temporal says of its workflow. */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionStatusName } from '@temporalio/client';
import type { Discrepancy } from './discrepancy.js';

/** What the instance's row says. */
export interface InstanceRow {
  workflowID: string;
  status: string;
  parkCount: number;
}

/** What is wrong between an instance and its workflow. */
export async function checkTemporal(client: Client, { workflowID, status, parkCount }: InstanceRow): Promise<Discrepancy[]> {
  const workflow = await find(client, workflowID);
  const found = (text: string): Discrepancy[] => [{ invariant: 'R13', workflowID, found: text }];
  if (workflow === undefined) return parkCount > 0 || status !== 'RUNNING' ? found(`its row is ${status}; Temporal has no such workflow`) : [];
  if (!agree(status, workflow.status)) return found(`its row is ${status}; Temporal says ${workflow.status}`);
  // An instance that was failed from outside has one park more: the one that says so.
  if (workflow.status !== 'RUNNING' && workflow.status !== 'COMPLETED') return [];
  const parks = await countParks(client, workflowID, workflow.firstRunID);
  return parks === parkCount ? [] : found(`its row counts ${parkCount} parks; the history in Temporal has ${parks}`);
}

interface Workflow {
  status: WorkflowExecutionStatusName;
  firstRunID: string;
}

async function find(client: Client, workflowID: string): Promise<Workflow | undefined> {
  try {
    const { status, raw } = await client.workflow.getHandle(workflowID).describe();
    return { status: status.name, firstRunID: raw.workflowExecutionInfo?.firstRunId ?? '' };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** How an instance ended is written in its rows; its workflow has done its work in each case. */
function agree(row: string, workflow: WorkflowExecutionStatusName): boolean {
  if (row === 'RUNNING') return workflow === 'RUNNING';
  return workflow === 'COMPLETED' || (row === 'FAILED' && workflow !== 'RUNNING');
}

/** Parks that the workflow knows to be written, over all its runs. */
async function countParks(client: Client, workflowID: string, firstRunID: string): Promise<number> {
  let parks = 0;
  for (let runID: string | undefined = firstRunID; runID !== undefined && runID !== ''; ) {
    const { events } = await client.workflow.getHandle(workflowID, runID).fetchHistory();
    parks += (events ?? []).filter(isPark(new Set(scheduledParks(events ?? [])))).length;
    runID = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
  return parks;
}

type HistoryEvent = NonNullable<Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']>[number];

/** Ids of the events that ask for a park outside the workflow task, as happens while Postgres is away. */
function scheduledParks(events: readonly HistoryEvent[]): string[] {
  return events.filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'park').map(({ eventId }) => String(eventId));
}

function isPark(scheduled: ReadonlySet<string>): (event: HistoryEvent) => boolean {
  return ({ markerRecordedEventAttributes: marker, activityTaskCompletedEventAttributes: completed }) => {
    if (completed) return scheduled.has(String(completed.scheduledEventId)) && isWritten(completed.result?.payloads);
    return !marker?.failure && marker?.details?.['data']?.payloads?.some(isLocalPark) === true && isWritten(marker.details['result']?.payloads);
  };
}

/** What the SDK writes into the marker of a local activity is JSON with the name of the activity. */
function isLocalPark({ data }: { data?: Uint8Array | null }): boolean {
  const { activity_type: type } = JSON.parse(Buffer.from(data ?? []).toString() || '{}') as { activity_type?: string };
  return type === 'park';
}

/** A park that a pause has refused is not written. */
function isWritten(answer: readonly { data?: Uint8Array | null }[] | null | undefined): boolean {
  const { kind } = JSON.parse(Buffer.from(answer?.[0]?.data ?? []).toString() || '{}') as { kind?: string };
  return kind !== 'paused';
}
