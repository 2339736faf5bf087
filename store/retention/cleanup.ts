/** Data with a limited lifetime. */
import type { Pool } from 'pg';
import { forgetExpiredDeadLetters } from '../event-subscriptions/dead-letters.js';
import { deleteEndedWaiters } from '../steps/pause-waiters.js';
import { forgetOldWorkers } from '../work/job-queue.js';
import { cancelForgottenTests, eraseTestsOfDeletedDrafts } from '../definitions/tests-of-drafts.js';
import { forgetTestedDrafts } from '../projects/tests.js';
import { removeOldDeliveries } from '../hooks/deliveries.js';
import { forgetOldKeys } from '../projects/idempotency.js';
import { forgetGoneInstances } from './retention.js';
import { forgetEndedPublications } from '../publications/ended-publications.js';
import { forgetSignalPayloads } from '../messages/signals.js';

/** Deletes data that is no longer needed. Running it hourly is enough; several processes may run it. */
export async function deleteExpired(pool: Pool): Promise<void> {
  await forgetOldKeys(pool);
  await forgetOldWorkers(pool);
  await forgetSignalPayloads(pool);
  await deleteEndedWaiters(pool);
  await forgetExpiredDeadLetters(pool);
  await cancelForgottenTests(pool);
  await eraseTestsOfDeletedDrafts(pool);
  await forgetTestedDrafts(pool);
  while ((await forgetEndedPublications(pool)) > 0);
  while ((await removeOldDeliveries(pool)) > 0);
  while ((await forgetGoneInstances(pool)) > 0);
}
