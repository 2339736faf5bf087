/** The events and bytes that one instance leaves in Temporal. */
import { Client as TemporalClient, Connection } from '@temporalio/client';

export interface HistoryCost {
  events: number;
  workflowTasks: number;
  /** Serialized size of the history. */
  bytes: number;
}

/** Counts the history of one finished instance. */
export async function historyOf(temporalAddress: string, workflowID: string): Promise<HistoryCost> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const handle = new TemporalClient({ connection }).workflow.getHandle(workflowID);
    const [{ historySize }, history] = await Promise.all([handle.describe(), handle.fetchHistory()]);
    const events = history.events ?? [];
    return {
      events: events.length,
      workflowTasks: events.filter((event) => Boolean(event.workflowTaskCompletedEventAttributes)).length,
      bytes: historySize ?? 0,
    };
  } finally {
    await connection.close();
  }
}
