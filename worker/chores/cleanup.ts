/** Deletes what has expired, a limited number of rows per statement. Several processes can run it. */
import {
  cancelForgottenTests,
  endTestsOfDeletedDrafts,
  type EndedTests,
} from '../../store/definitions/tests-of-drafts.js';
import { forgetExpiredDeadLetters } from '../../store/event-subscriptions/dead-letters.js';
import { removeOldDeliveries } from '../../store/hooks/deliveries.js';
import type { PublicationType } from '../../store/messages/correlation.js';
import { dropPublications, forgetDeliveries, retireSignals } from '../../store/messages/expired-publications.js';
import { forgetSignalPayloads } from '../../store/messages/signals.js';
import { forgetOldKeys } from '../../store/projects/idempotency.js';
import { forgetTestedDrafts } from '../../store/projects/tests.js';
import { forgetEndedPublications } from '../../store/publications/ended-publications.js';
import { forgetGoneInstances } from '../../store/retention/retention.js';
import type { KeyOfRow } from '../../store/sql/delete-page.js';
import { deleteEndedWaiters } from '../../store/steps/pause-waiters.js';
import { forgetOldWorkers } from '../../store/work/job-queue.js';
import { forgetOldGroups } from '../../store/work/limits/limits.js';
import { repeat, walk, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface CleanupOptions {
  store: Database;
  /** Receives the number of expired publications; the messages among them were never consumed. */
  onExpired(type: PublicationType, count: number): void;
}

/** For what requests and lists still count until it is deleted. */
const SOON_MS = 10_000;
/** For what only takes space, found by an index. */
const MINUTE_MS = 60_000;
/** For what reads a table to find what has expired. */
const FIVE_MINUTES_MS = 300_000;

export function cleanup({ store, onExpired }: CleanupOptions): Chore[] {
  const countExpired = async () => {
    const types = await dropPublications(store);
    for (const type of ['message', 'signal'] as const) {
      const count = types.filter((one) => one === type).length;
      if (count > 0) onExpired(type, count);
    }
    return types.length;
  };
  return [
    deleting('expired_signals', SOON_MS, () => retireSignals(store)),
    deleting('signal_deliveries', SOON_MS, () => forgetDeliveries(store)),
    deleting('expired_publications', SOON_MS, countExpired),
    deleting('idempotency_keys', MINUTE_MS, () => forgetOldKeys(store)),
    deleting('ended_publications', MINUTE_MS, () => forgetEndedPublications(store)),
    deleting('hook_deliveries', MINUTE_MS, () => removeOldDeliveries(store)),
    deleting('gone_instances', MINUTE_MS, () => forgetGoneInstances(store)),
    deleting('dead_letters', MINUTE_MS, () => forgetExpiredDeadLetters(store)),
    deleting('tested_drafts', FIVE_MINUTES_MS, () => forgetTestedDrafts(store)),
    walking('job_workers', (after) => forgetOldWorkers(store, after)),
    walking('limit_groups', (after) => forgetOldGroups(store, after)),
    walking('signal_payloads', (after) => forgetSignalPayloads(store, after)),
    walking('pause_waiters', (after) => deleteEndedWaiters(store, after)),
    ending('forgotten_tests', (after) => cancelForgottenTests(store, after)),
    ending('tests_of_deleted_drafts', (after) => endTestsOfDeletedDrafts(store, after)),
  ];
}

/** @param remove returns how many it has deleted, 0 if there are no more */
function deleting(name: string, every: number, remove: () => Promise<number>): Chore {
  return { name, every, run: (turn) => repeat(turn, async () => (await remove()) > 0) };
}

function walking(name: string, page: (after: KeyOfRow | undefined) => Promise<KeyOfRow | undefined>): Chore {
  return { name, every: FIVE_MINUTES_MS, run: walk(page) };
}

/** Walks through tests that must end. After a failure the walk continues with the next page. */
function ending(name: string, page: (after: EndedTests['last']) => Promise<EndedTests>): Chore {
  let after: EndedTests['last'];
  return {
    name,
    every: FIVE_MINUTES_MS,
    run: (turn) =>
      repeat(turn, async () => {
        const { last, failures } = await page(after);
        after = last;
        if (failures.length > 0) throw failures.at(-1);
        return last !== undefined;
      }),
  };
}
