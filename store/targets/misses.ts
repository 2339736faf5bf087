/** Instances and activations that take longer than their target, recorded once each. */
import { ROOT } from '@perdure/engine/state/state.js';
import { insertMissEvents } from '../events/of-miss.js';
import { rows, type Transaction } from '../sql/database.js';
import type { FoldedState } from '../statistics/fold-facts.js';
import { WHOLE_INSTANCE } from '../statistics/rows.js';
import { addTargetCounts } from './counts.js';

export interface Miss {
  workflowID: string;
  element: number;
  definitionID: string;
  /** An empty id stands for the instance as a whole. */
  nodeID: string;
  durationMs: number;
  /** Epoch milliseconds. */
  dueAt: number;
}

const MAX_MISSES_PER_STATEMENT = 500;
/** Covers a step that ends something in time and is committed a little later. */
const MARGIN = "interval '20 seconds'";

/**
 * Records what is open and overdue. All steps that were committed before the transaction began are folded.
 * @returns how many misses are new, and whether there may be more
 */
export async function recordMisses(transaction: Transaction): Promise<{ missed: number; hasMore: boolean }> {
  const overdue = await rows<
    Omit<Miss, 'definitionID' | 'nodeID'> & {
      state: FoldedState;
      projectID: string;
      processID: string;
      version: number;
    }
  >(
    transaction,
    `SELECT t.workflow_id AS "workflowID", t.element, extract(epoch FROM t.due_at)::float8 * 1000 AS "dueAt", t.duration_ms::float8 AS "durationMs",
       f.state, d.project_id AS "projectID", d.process_id AS "processID", d.version
     FROM (SELECT * FROM target_dues WHERE NOT missed AND due_at < now() - ${MARGIN} ORDER BY due_at LIMIT ${MAX_MISSES_PER_STATEMENT}) t
     JOIN folded_instances f ON f.workflow_id = t.workflow_id JOIN definitions d ON d.id = (f.state ->> 'definitionID')::uuid
     ORDER BY t.due_at`,
    [],
  );
  if (overdue.length === 0) return { missed: 0, hasMore: false };
  await transaction.query(
    'UPDATE target_dues d SET missed = true FROM unnest($1::text[], $2::integer[]) AS m(id, element) WHERE d.workflow_id = m.id AND d.element = m.element',
    [overdue.map(({ workflowID }) => workflowID), overdue.map(({ element }) => element)],
  );
  const misses = overdue.map(({ state, ...one }) => {
    const nodeID = one.element === ROOT ? WHOLE_INSTANCE : state.open[one.element]![0];
    return { ...one, definitionID: state.definitionID, nodeID };
  });
  await addTargetCounts(
    transaction,
    misses.map((miss) => ({ ...miss, at: miss.dueAt, met: 0, missed: 1 })),
  );
  return { missed: await insertMisses(transaction, misses), hasMore: overdue.length === MAX_MISSES_PER_STATEMENT };
}

/**
 * The only place that writes misses, with what follows from one.
 * @returns how many of them are new: a rebuild of the statistics finds them again
 */
export async function insertMisses(transaction: Transaction, misses: readonly Miss[]): Promise<number> {
  if (misses.length === 0) return 0;
  const inserted = await rows(
    transaction,
    `WITH new AS (
     INSERT INTO target_misses (workflow_id, element, project_id, definition_id, node_id, duration_ms, due_at)
     SELECT m.id, m.element, d.project_id, d.id, m.node, m.duration, to_timestamp(m.due / 1000)
     FROM unnest($1::text[], $2::integer[], $3::uuid[], $4::text[], $5::bigint[], $6::float8[]) AS m(id, element, definition, node, duration, due)
     JOIN definitions d ON d.id = m.definition
     ON CONFLICT (workflow_id, element) DO NOTHING RETURNING *
     ), told AS (${insertMissEvents('new')})
     SELECT number FROM new`,
    [
      misses.map(({ workflowID }) => workflowID),
      misses.map(({ element }) => element),
      misses.map(({ definitionID }) => definitionID),
      misses.map(({ nodeID }) => nodeID),
      misses.map(({ durationMs }) => durationMs),
      misses.map(({ dueAt }) => dueAt),
    ],
  );
  return inserted.length;
}
