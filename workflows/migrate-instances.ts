/** A migration of many instances: rounds of one activity until every instance has answered. */
import { makeContinueAsNewFunc, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';

/** Each round is an activity of some seconds and a few events. */
const ROUNDS_PER_RUN = 500;

const { migrateInstances: migrateSome } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', maximumInterval: '15s' },
});

/** Progress is stored in rows, so a run only needs the id of the migration. */
export async function migrateInstances(migration: { migrationID: string }): Promise<void> {
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) if (await migrateSome(migration)) return;
  await makeContinueAsNewFunc<typeof migrateInstances>()(migration);
}
