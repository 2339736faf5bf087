/** Executions that Temporal has of payments, and lines that activities have written. */
import { readFileSync } from 'node:fs';
import { vi, expect } from 'vitest';
import type { Client } from '@temporalio/client';
import { RUN_TASK } from '../../../connectors/temporal/runner/messages.js';

/** A workflow around the activity. Each run is one. */
export interface Charge {
  /** The id of the workflow. */
  key: string;
  status: string;
  scheduled: number;
  completed: number;
  failed: number;
  /** Of the activity, which Temporal may run more than once. */
  attempts: number;
}

/** @param least so many there are at least, once Temporal lists them all */
export async function chargesOf(client: Client, least: number): Promise<Charge[]> {
  const listed = await vi.waitFor(
    async () => {
      const found = [];
      for await (const { workflowId, runId, status } of client.workflow.list({ query: `WorkflowType = '${RUN_TASK}'` }))
        found.push({ workflowId, runId, status: status.name });
      expect(found.filter(({ status }) => status === 'RUNNING')).toEqual([]);
      expect(found.length).toBeGreaterThanOrEqual(least);
      return found;
    },
    { timeout: 60_000, interval: 1_000 },
  );
  const charges: Charge[] = [];
  for (const { workflowId, runId, status } of listed)
    charges.push({ key: workflowId, status, ...(await countEvents(client, workflowId, runId)) });
  return charges;
}

async function countEvents(client: Client, workflowId: string, runId: string): Promise<Omit<Charge, 'key' | 'status'>> {
  const { events = [] } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const scheduled = new Set(
    events
      ?.filter(({ activityTaskScheduledEventAttributes: event }) => event?.activityType?.name === 'charge')
      .map(({ eventId }) => String(eventId)),
  );
  const ofCharge = (of: { scheduledEventId?: unknown } | null | undefined) =>
    scheduled.has(String(of?.scheduledEventId));
  return {
    scheduled: scheduled.size,
    completed: events!.filter((event) => ofCharge(event.activityTaskCompletedEventAttributes)).length,
    failed: events!.filter((event) => ofCharge(event.activityTaskFailedEventAttributes)).length,
    attempts: events!
      .filter((event) => ofCharge(event.activityTaskStartedEventAttributes))
      .reduce((sum, event) => sum + event.activityTaskStartedEventAttributes!.attempt!, 0),
  };
}

export interface Recorded {
  keys: Set<string>;
  languages: Set<string>;
}

/** By order, what its activities have written. */
export function recordedCharges(file: string): Map<string, Recorded> {
  const recorded = new Map<string, Recorded>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [order, key, language] = line.split(' ') as [string, string, string];
    if (!recorded.has(order)) recorded.set(order, { keys: new Set(), languages: new Set() });
    recorded.get(order)!.keys.add(key);
    recorded.get(order)!.languages.add(language);
  }
  return recorded;
}
