import type { Client } from '@temporalio/client';
import { rows, type Database } from '../../../store/sql/database.js';
import type { Discrepancy } from './discrepancy.js';
import { checkRows } from './row-rules.js';
import { checkState } from './state-rules.js';
import { checkTemporal, type InstanceRow } from './temporal-rules.js';

export interface Verified {
  instances: number;
  discrepancies: Discrepancy[];
}

const INSTANCES_AT_ONCE = 10;
const INSTANCES_PER_PAGE = 500;

/**
 * Compares the rows with the facts that they were derived from, and with Temporal. The instances must be idle: a
 * running instance can differ for a moment without an error.
 */
export async function findDiscrepancies(store: Database, client: Client): Promise<Verified> {
  const discrepancies = await checkRows(store);
  let instances = 0;
  for await (const page of pages(store)) {
    instances += page.length;
    for (let first = 0; first < page.length; first += INSTANCES_AT_ONCE) {
      const some = page.slice(first, first + INSTANCES_AT_ONCE);
      discrepancies.push(...(await Promise.all(some.map((instance) => checkInstance(store, client, instance)))).flat());
    }
  }
  return { instances, discrepancies };
}

async function checkInstance(store: Database, client: Client, instance: InstanceRow): Promise<Discrepancy[]> {
  return [...(await checkState(store, instance.workflowID)), ...(await checkTemporal(client, instance))];
}

async function* pages(store: Database): AsyncGenerator<InstanceRow[]> {
  let after = 0;
  for (;;) {
    const page = await rows<InstanceRow & { number: number }>(
      store,
      `SELECT number::float8 AS number, workflow_id AS "workflowID", status, step_count AS "stepCount"
       FROM instances WHERE number > $1 ORDER BY number LIMIT ${INSTANCES_PER_PAGE}`,
      [after],
    );
    if (page.length > 0) yield page;
    if (page.length < INSTANCES_PER_PAGE) return;
    after = page.at(-1)!.number;
  }
}
