import type { Client } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { findDiscrepancies } from '../../host/admin/verify/find-discrepancies.js';
import type { Database } from '../../store/sql/database.js';

/**
 * Waits until rows, facts and Temporal tell the same of all instances, which must rest. It is not so at once: what a
 * workflow learns of its last step commit, and its own end, reach its history after the rows.
 */
export async function untilAllAgree(store: Database, client: Client): Promise<void> {
  await vi.waitFor(async () => expect((await findDiscrepancies(store, client)).discrepancies).toEqual([]), {
    timeout: 60_000,
    interval: 200,
  });
}
