/** Invariants between the rows of one instance and its workflow in Temporal. */
import type { Payload } from '@temporalio/common';
import { WorkflowNotFoundError, type Client, type WorkflowExecutionStatusName } from '@temporalio/client';
import { UnavailablePayload } from '../../../store/steps/stored-payloads.js';
import type { ProcessInstanceInput } from '../../../workflows/messages.js';
import type { Discrepancy } from './discrepancy.js';

/** The row of the instance. */
export interface InstanceRow {
  workflowID: string;
  status: string;
  stepCount: number;
}

export interface Workflow {
  status: WorkflowExecutionStatusName;
  /** Whether its workflow task fails on every attempt. */
  isWedged: boolean;
  /**
   * The step commits of all its runs, as its current run has them.
   * @throws UnavailablePayload if its history refers to a value that Postgres does not have
   */
  countSteps(): Promise<Steps>;
}

interface Steps {
  count: number;
  /** Whether the last answer was that the instance has ended without its workflow. */
  hasEndedElsewhere: boolean;
}

/** A worker that dies costs one or two attempts. */
const WEDGED_ATTEMPTS = 3;

/** The differences between an instance and its workflow. */
export async function checkTemporal(
  client: Client,
  { workflowID, status, stepCount }: InstanceRow,
): Promise<Discrepancy[]> {
  const workflow = await findWorkflow(client, workflowID);
  const found = (text: string): Discrepancy[] => [{ invariant: 'R13', workflowID, found: text }];
  // Temporal removes closed workflows after the retention of its namespace.
  if (workflow === undefined)
    return stepCount > 0 && status === 'RUNNING' ? found(`its row is ${status}; Temporal has no such workflow`) : [];
  if (!agree(status, workflow.status)) return found(`its row is ${status}; Temporal reports ${workflow.status}`);
  // An instance that was failed from outside has one more step: the one that records it.
  if (workflow.status !== 'RUNNING' && workflow.status !== 'COMPLETED') return [];
  return [
    ...(workflow.isWedged ? [wedged(workflowID)] : []),
    ...(await compareSteps(workflow, stepCount)).flatMap(found),
  ];
}

async function compareSteps(workflow: Workflow, stepCount: number): Promise<string[]> {
  try {
    const { count, hasEndedElsewhere } = await workflow.countSteps();
    // The rows of an instance are ended without it when it cannot reach the store. A commit whose answer was lost may be
    // among the steps before.
    const isAgreed = count === stepCount || (hasEndedElsewhere && count === stepCount - 1);
    return isAgreed ? [] : [`its row counts ${stepCount} steps; the history in Temporal has ${count}`];
  } catch (error) {
    if (error instanceof UnavailablePayload) return [error.message];
    throw error;
  }
}

/** Commands and timers of a wedged instance have no effect. */
function wedged(workflowID: string): Discrepancy {
  return {
    invariant: 'R2',
    workflowID,
    found: 'its workflow task fails on every attempt, so commands and timers have no effect',
  };
}

/** The workflow of an instance, or undefined when Temporal has none. */
export async function findWorkflow(client: Client, workflowID: string): Promise<Workflow | undefined> {
  try {
    const { status, raw } = await client.workflow.getHandle(workflowID).describe();
    return {
      status: status.name,
      isWedged: (raw.pendingWorkflowTask?.attempt ?? 0) >= WEDGED_ATTEMPTS,
      countSteps: () => countSteps(client, workflowID),
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/**
 * The rows record how an instance ended; its workflow has completed, or no longer existed when the instance was failed
 * or canceled.
 */
function agree(row: string, workflow: WorkflowExecutionStatusName): boolean {
  if (row === 'RUNNING') return workflow === 'RUNNING';
  return workflow === 'COMPLETED' || (row !== 'COMPLETED' && workflow !== 'RUNNING');
}

/** Reads only the current run: Temporal and Postgres may have removed what earlier ones needed. */
async function countSteps(client: Client, workflowID: string): Promise<Steps> {
  const { events } = await client.workflow.getHandle(workflowID).fetchHistory();
  let count = await stepsBefore(client, events?.[0]);
  let last: string | undefined;
  for (const answer of answersOfStore(events ?? [])) {
    last = await kindOf(client, answer);
    if (writtenKinds.has(last)) count += 1;
  }
  return { count, hasEndedElsewhere: last === 'ended' };
}

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** The step commits of earlier runs, or before a restart from the rows. */
async function stepsBefore(client: Client, started: HistoryEvent | undefined): Promise<number> {
  const [input] = await decoded(client, started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []);
  const { carried } = JSON.parse(Buffer.from(input?.data ?? []).toString() || '{}') as Partial<ProcessInstanceInput>;
  return carried?.stepNumber ?? 0;
}

/** The store's answers to the instance in the history. */
function answersOfStore(events: readonly HistoryEvent[]): Payloads[] {
  return events.flatMap(({ markerRecordedEventAttributes: marker }) => {
    const isExchange = !marker?.failure && marker?.details?.['data']?.payloads?.some(isExchangeWithStore) === true;
    return isExchange ? [marker.details?.['result']?.payloads ?? []] : [];
  });
}

type Payloads = readonly Payload[];

/** The SDK writes the name of a local activity as JSON into its marker. */
function isExchangeWithStore({ data }: Payload): boolean {
  const { activity_type: type } = JSON.parse(Buffer.from(data ?? []).toString() || '{}') as { activity_type?: string };
  return type === 'exchange';
}

/**
 * Answers of the store for which a step is in the rows. For `ended` it is the one that has ended the instance
 * elsewhere.
 */
const writtenKinds: ReadonlySet<string | undefined> = new Set(['accepted', 'adopt', 'ended']);

async function kindOf(client: Client, answer: Payloads): Promise<string | undefined> {
  const [payload] = await decoded(client, answer);
  const { kind } = JSON.parse(Buffer.from(payload?.data ?? []).toString() || '{}') as { kind?: string };
  return kind;
}

async function decoded(client: Client, payloads: Payloads): Promise<Payloads> {
  let result = [...payloads];
  for (const codec of client.options.loadedDataConverter.payloadCodecs.toReversed())
    result = await codec.decode(result);
  return result;
}
