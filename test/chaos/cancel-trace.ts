/**
 * The reason why a cancel took long: everything that the caller, Postgres and Temporal know of it and the faults of that time, in the order in
 * which it happened, with the longest gaps first. It is read when everything is healed; both keep what they know.
 */
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { commandKind } from '../../store/instances/commands.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { Happened } from './faults.js';
import { runsOf } from './histories.js';
import type { Violations } from './violations.js';
import type { PooledDatabase } from '../../store/connections/pooled-database.js';
import type { Database } from '../../store/sql/database.js';

/** A cancel as its caller saw it; epoch milliseconds. */
export interface SeenCancel {
  /** Of the model. */
  title: string;
  workflowID: string;
  asked: number;
  answered: number;
  ended: number;
}

/** In epoch milliseconds. */
interface Moment {
  at: number;
  what: string;
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Work that was under way when the cancel was requested began somewhat before. */
const MS_BEFORE = 15_000;
const MAX_GAPS = 3;
const MAX_MOMENTS = 80;

interface Sources {
  store: PooledDatabase;
  client: Client;
  faults: readonly Happened[];
}

/** R21. */
export async function checkLateCancels(
  late: readonly SeenCancel[],
  sources: Sources,
  violations: Violations,
): Promise<void> {
  for (const cancel of late) {
    const trace = await traceCancel(cancel, sources).catch(
      (error: unknown) => `  the trace cannot be read: ${errorMessage(error)}`,
    );
    violations.add(
      'R21',
      `${cancel.title}: ${cancel.workflowID} was canceled after ${cancel.ended - cancel.asked} ms\n${trace}`,
    );
  }
}

/** Several lines: the longest gaps, then every moment, in seconds since the cancel was asked for. */
async function traceCancel(cancel: SeenCancel, { store, client, faults }: Sources): Promise<string> {
  const known = [
    ...momentsOfCaller(cancel),
    ...(await momentsOfCommands(store, cancel.workflowID)),
    ...(await momentsOfHistory(client, cancel.workflowID)),
  ];
  const from = cancel.asked - MS_BEFORE;
  const during = inOrder(known).filter(({ at }) => at >= from && at <= cancel.ended);
  const seconds = (at: number) => ((at - cancel.asked) / 1000).toFixed(1).padStart(6);
  const gaps = longestGaps(during, cancel.asked).map(
    ([one, next]) =>
      `  ${((next.at - one.at) / 1000).toFixed(1)} s between "${one.what}" at${seconds(one.at)} and "${next.what}"`,
  );
  const all = inOrder([...during, ...momentsOfFaults(faults, from, cancel.ended)]);
  const shown = all.slice(-MAX_MOMENTS).map(({ at, what }) => `  ${seconds(at)} ${what}`);
  return [
    ...gaps,
    ...(all.length > MAX_MOMENTS ? [`  ${all.length - MAX_MOMENTS} earlier moments are left out`] : []),
    ...shown,
  ].join('\n');
}

function inOrder(moments: readonly Moment[]): Moment[] {
  return [...moments].sort((one, other) => one.at - other.at);
}

function longestGaps(moments: readonly Moment[], from: number): [Moment, Moment][] {
  const gaps = moments.slice(1).map((next, index): [Moment, Moment] => [moments[index]!, next]);
  const length = ([one, next]: [Moment, Moment]) => next.at - one.at;
  return gaps
    .filter(([, next]) => next.at > from)
    .sort((one, other) => length(other) - length(one))
    .slice(0, MAX_GAPS);
}

function momentsOfCaller({ asked, answered, ended }: SeenCancel): Moment[] {
  return [
    { at: asked, what: 'caller: cancel asked for' },
    { at: answered, what: 'caller: cancel answered' },
    { at: ended, what: 'caller: end seen' },
  ];
}

async function momentsOfCommands(store: Database, workflowID: string): Promise<Moment[]> {
  const { rows } = await store.query<{
    number: number;
    kind: string;
    status: string;
    written: number;
    applied: number | null;
    due: number | null;
  }>(
    `SELECT number, ${commandKind('body')} AS kind, status, extract(epoch FROM created_at)::float8 * 1000 AS written, extract(epoch FROM applied_at)::float8 * 1000 AS applied,
       CASE WHEN deliver_at < 'infinity' THEN extract(epoch FROM deliver_at)::float8 * 1000 END AS due
     FROM commands WHERE workflow_id = $1`,
    [workflowID],
  );
  const ends = await store.query<{ status: string; at: number | null }>(
    'SELECT status, extract(epoch FROM completed_at)::float8 * 1000 AS at FROM instances WHERE workflow_id = $1',
    [workflowID],
  );
  return [
    ...rows.flatMap(({ number, kind, status, written, applied, due }) => [
      { at: written, what: `rows: command ${number} ${kind} written` },
      ...(applied === null ? [] : [{ at: applied, what: `rows: command ${number} ${status}` }]),
      ...(due === null ? [] : [{ at: due, what: `rows: command ${number} due to be sent again` }]),
    ]),
    ...ends.rows.flatMap(({ status, at }) => (at === null ? [] : [{ at, what: `rows: instance ${status}` }])),
  ];
}

function momentsOfFaults(faults: readonly Happened[], from: number, to: number): Moment[] {
  return faults
    .filter((fault) => fault.healed >= from && fault.began <= to)
    .flatMap(({ name, began, healed }) => [
      { at: began, what: `FAULT ${name}` },
      { at: healed, what: `HEALED ${name}` },
    ]);
}

async function momentsOfHistory(client: Client, workflowID: string): Promise<Moment[]> {
  const moments: Moment[] = [];
  for await (const { events } of runsOf(client, workflowID)) {
    for (const event of events ?? []) {
      const what = inWords(event);
      if (what !== undefined) moments.push({ at: timeOf(event), what: `history ${event.eventId}: ${what}` });
    }
  }
  return moments;
}

function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1_000_000;
}

/** Undefined for what delays nothing. */
function inWords(event: HistoryEvent): string | undefined {
  const { WorkflowTaskFailedCause, TimeoutType, TaskQueueKind } = temporal.api.enums.v1;
  const {
    workflowTaskScheduledEventAttributes: scheduled,
    workflowTaskStartedEventAttributes: started,
    workflowTaskFailedEventAttributes: failed,
  } = event;
  if (scheduled)
    return `task scheduled, attempt ${scheduled.attempt}${scheduled.taskQueue?.kind === TaskQueueKind.TASK_QUEUE_KIND_STICKY ? ', sticky' : ''}`;
  if (started) return `task started by ${started.identity}`;
  if (event.workflowTaskCompletedEventAttributes) return 'task completed';
  if (failed) return `task failed: ${WorkflowTaskFailedCause[failed.cause ?? 0]} ${failed.failure?.message ?? ''}`;
  if (event.workflowTaskTimedOutEventAttributes)
    return `task timed out: ${TimeoutType[event.workflowTaskTimedOutEventAttributes.timeoutType ?? 0]}`;
  if (event.timerStartedEventAttributes)
    return `timer of ${Number(event.timerStartedEventAttributes.startToFireTimeout?.seconds ?? 0)} s started`;
  if (event.timerFiredEventAttributes) return 'timer fired';
  if (event.timerCanceledEventAttributes) return 'timer canceled';
  if (event.workflowExecutionSignaledEventAttributes)
    return `signal ${signalOf(event.workflowExecutionSignaledEventAttributes)}`;
  if (event.markerRecordedEventAttributes) return `local activity ${activityOf(event.markerRecordedEventAttributes)}`;
  if (event.workflowExecutionStartedEventAttributes)
    return `run started${delayOf(event.workflowExecutionStartedEventAttributes)}`;
  if (event.workflowExecutionContinuedAsNewEventAttributes) return 'continued in a new run';
  return event.workflowExecutionCompletedEventAttributes ? 'workflow completed' : undefined;
}

function delayOf({
  firstWorkflowTaskBackoff,
}: temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes): string {
  const ms = Number(firstWorkflowTaskBackoff?.seconds ?? 0) * 1000 + (firstWorkflowTaskBackoff?.nanos ?? 0) / 1_000_000;
  return ms > 0 ? `, its first task after ${ms} ms` : '';
}

function signalOf({ signalName, input }: temporal.api.history.v1.IWorkflowExecutionSignaledEventAttributes): string {
  const command = decoded(input?.payloads?.[0]) as { number?: number; kind?: string } | undefined;
  return [signalName, command?.number, command?.kind].filter((part) => part !== undefined).join(' ');
}

function activityOf({ details, failure }: temporal.api.history.v1.IMarkerRecordedEventAttributes): string {
  const data = decoded(details?.['data']?.payloads?.[0]) as { activity_type?: string; attempt?: number } | undefined;
  return `${data?.activity_type ?? '?'}, attempt ${data?.attempt ?? '?'}${failure ? `, failed: ${failure.cause?.message ?? failure.message}` : ''}`;
}

/** Undefined for what is stored elsewhere. */
function decoded(payload: temporal.api.common.v1.IPayload | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(payload?.data ?? []).toString());
  } catch {
    return undefined;
  }
}
