/** Times of completed jobs and user tasks that only their rows have. */
import { rows, type Transaction } from '../sql/database.js';
import type { CompletedWork } from './fold-facts.js';

export interface WorkedTime {
  nodeID: string;
  waitingMs: number;
  workingMs: number;
}

const begun = { jobs: 'first_leased_at', user_tasks: 'first_assigned_at' } as const;

type Work = CompletedWork & { workflowID: string };

/** By the work; what an operator completed without a lease or an assignment is left out. */
export async function workedTimes(transaction: Transaction, work: readonly Work[]): Promise<Map<Work, WorkedTime>> {
  const times = new Map<Work, WorkedTime>();
  for (const table of ['jobs', 'user_tasks'] as const) {
    const ofTable = work.filter((one) => one.table === table);
    if (ofTable.length === 0) continue;
    const found = await rows<WorkedTime & { index: number }>(
      transaction,
      `SELECT g.index::int AS index, node_id AS "nodeID", ${milliseconds('created_at', begun[table])} AS "waitingMs",
         ${milliseconds(begun[table], 'completed_at')} AS "workingMs"
       FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS g(id, work, index)
       JOIN ${table} t ON t.workflow_id = g.id AND t.number = g.work
       WHERE t.${begun[table]} IS NOT NULL AND t.completed_at IS NOT NULL`,
      [ofTable.map(({ workflowID }) => workflowID), ofTable.map(({ number }) => number)],
    );
    for (const { index, ...time } of found) times.set(ofTable[index - 1]!, time);
  }
  return times;
}

/** The clocks of Postgres and of a worker differ a little, so never below zero. */
function milliseconds(from: string, to: string): string {
  return `greatest(0, extract(epoch FROM t.${to} - t.${from}) * 1000)::float8`;
}
