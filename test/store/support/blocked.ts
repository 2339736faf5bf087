import { eventually } from '../../support/eventually.js';
import { valueOf, type TestStore } from './store.js';

/** Waits until so many statements of the database wait for a lock. */
export async function untilBlocked(store: TestStore, count = 1): Promise<void> {
  const waiting =
    "SELECT count(*)::integer AS value FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await eventually(
    () => valueOf<number>(store, waiting),
    (blocked) => blocked >= count,
  );
}
