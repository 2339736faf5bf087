/** Which statements cost more in a store with more in it, by what Postgres counts (`pg_stat_statements`). */
import type pg from 'pg';
import { rounded } from '../statistics.js';

export interface StatementCost {
  query: string;
  calls: number;
  /** 8 KB blocks that one call looks at; what else the machine does changes nothing about them. */
  blocks: number;
  milliseconds: number;
}

export interface GrownStatement {
  query: string;
  calls: number;
  small: Pick<StatementCost, 'blocks' | 'milliseconds'>;
  large: Pick<StatementCost, 'blocks' | 'milliseconds'>;
  /** In the large store, whatever the parameters are. */
  plan: string;
}

/** Settings that the server needs at its start. */
export const statementSettings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '1000' };

/** An index over a thousand times as much is a level deeper; a plan that does not fit any more costs many times as much. */
const DEEPER_INDEXES = { share: 0.5, blocks: 2 };
/** Work that runs every ten seconds counts too. */
const MIN_CALLS = 3;

export async function countStatements(store: pg.Pool): Promise<void> {
  await store.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
}

/** From here on; of all databases. */
export async function forgetStatements(store: pg.Pool): Promise<void> {
  await store.query('SELECT pg_stat_statements_reset()');
}

export interface StatementComparison {
  /** How many run in both stores. */
  compared: number;
  /** Those that look at more blocks in the large one than deeper indexes explain, most expensive growth first. */
  grown: GrownStatement[];
}

export async function compareStatements(small: pg.Pool, large: pg.Pool): Promise<StatementComparison> {
  const before = new Map((await costs(small)).map((cost) => [cost.query, cost]));
  const grown: GrownStatement[] = [];
  let compared = 0;
  for (const cost of await costs(large)) {
    const reference = before.get(cost.query);
    if (!reference) continue;
    compared += 1;
    if (cost.blocks <= reference.blocks * (1 + DEEPER_INDEXES.share) + DEEPER_INDEXES.blocks) continue;
    grown.push({
      query: cost.query,
      calls: cost.calls,
      small: figures(reference),
      large: figures(cost),
      plan: await planOf(large, cost.query),
    });
  }
  grown.sort(
    (left, right) =>
      (right.large.blocks - right.small.blocks) * right.calls - (left.large.blocks - left.small.blocks) * left.calls,
  );
  return { compared, grown };
}

async function costs(store: pg.Pool): Promise<StatementCost[]> {
  const { rows } = await store.query<StatementCost>(
    `SELECT query, sum(calls)::float8 AS calls, sum(shared_blks_hit + shared_blks_read) / sum(calls)::float8 AS blocks, sum(total_exec_time) / sum(calls) AS milliseconds
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND toplevel
     GROUP BY query HAVING sum(calls) >= ${MIN_CALLS}`,
  );
  return rows;
}

function figures({ blocks, milliseconds }: StatementCost): GrownStatement['small'] {
  return { blocks: rounded(Number(blocks)), milliseconds: rounded(milliseconds) };
}

async function planOf(store: pg.Pool, query: string): Promise<string> {
  try {
    const { rows } = await store.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${query}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    return `no plan: ${(error as Error).message}`;
  }
}
