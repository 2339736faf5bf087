/** Histories in which signals arrived earlier than they did. */
import { temporal } from '@temporalio/proto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Command } from '@perdure/engine/contract/commands.js';
import { COMMAND_SIGNAL } from '../../../workflows/messages.js';

type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const { EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED: SIGNALED } = temporal.api.enums.v1.EventType;
const references = new Set(['eventId', 'scheduledEventId', 'startedEventId', 'workflowTaskCompletedEventId']);

/**
 * The history as Temporal would have recorded it if signals with `commands` had arrived during the workflow task of the first
 * marker and Temporal had replaced that task: the signals then precede the task under which the worker continues.
 */
export function withEarlySignals(history: History, commands: readonly Command[]): History {
  const events = history.events!;
  const marker = events.findIndex(({ markerRecordedEventAttributes: recorded }) => recorded);
  const place = events.findLastIndex(
    ({ workflowTaskScheduledEventAttributes: scheduled }, index) => scheduled && index < marker,
  );
  const first = Number(events[place]!.eventId);
  const { eventTime } = events[place]!;
  const signals = commands.map((command, index): HistoryEvent => ({
    ...temporal.api.history.v1.HistoryEvent.create({ eventType: SIGNALED, eventTime: eventTime ?? null }),
    eventId: sameKind(events[0]!.eventId, first + index),
    workflowExecutionSignaledEventAttributes: {
      signalName: COMMAND_SIGNAL,
      input: { payloads: [defaultPayloadConverter.toPayload(command)] },
    },
  }));
  const moved = events.slice(place).map((event) => shifted(event, first, commands.length) as HistoryEvent);
  return { events: [...events.slice(0, place), ...signals, ...moved] };
}

/** A copy in which references to events from `first` on are greater by `by`. */
function shifted(value: unknown, first: number, by: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shifted(item, first, by));
  if (value === null || typeof value !== 'object' || isLong(value) || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      references.has(name) && Number(member) >= first
        ? sameKind(member, Number(member) + by)
        : shifted(member, first, by),
    ]),
  );
}

function isLong(value: unknown): value is { constructor: { fromNumber(value: number): never } } {
  return typeof value === 'object' && value !== null && 'low' in value && 'high' in value;
}

function sameKind(example: unknown, value: number): never {
  return isLong(example) ? example.constructor.fromNumber(value) : (value as never);
}
