/** Data with a limited lifetime. */
import type { Pool } from 'pg';
import { deleteEndedWaiters } from './pause-waiters.js';
import { forgetOldWorkers } from './job-queue.js';
import { forgetOldKeys } from './idempotency.js';
import { forgetGoneInstances } from './retention.js';
import { forgetSignalPayloads } from './signals.js';
import { removeOrphanedPayloads } from './stored-payloads.js';

/** Deletes data that is no longer needed. Running it hourly is enough; several processes may run it. */
export async function deleteExpired(pool: Pool): Promise<void> {
  await forgetOldKeys(pool);
  await forgetOldWorkers(pool);
  await forgetSignalPayloads(pool);
  await deleteEndedWaiters(pool);
  while ((await forgetGoneInstances(pool)) > 0);
  while ((await removeOrphanedPayloads(pool)) > 0);
}
