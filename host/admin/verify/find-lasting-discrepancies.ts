import type { Client } from '@temporalio/client';
import type { Discrepancy } from './discrepancy.js';
import { findDiscrepancies, type Verified } from './find-discrepancies.js';
import type { Database } from '../../../store/sql/database.js';

/**
 * The discrepancies that occur in both of two checks. In running instances, the rows are ahead of Temporal for moments,
 * each time in different places; real errors persist.
 *
 * @param pause between the checks; not called when the first one finds nothing
 */
export async function findLastingDiscrepancies(
  store: Database,
  client: Client,
  pause: () => Promise<unknown>,
): Promise<Verified> {
  const first = await findDiscrepancies(store, client);
  if (first.discrepancies.length === 0) return first;
  await pause();
  const { instances, discrepancies } = await findDiscrepancies(store, client);
  const seen = new Set(first.discrepancies.map(sentence));
  return { instances, discrepancies: discrepancies.filter((discrepancy) => seen.has(sentence(discrepancy))) };
}

/** The output line of `npm run verify`. */
export function sentence({ invariant, workflowID, found }: Discrepancy): string {
  return `${invariant} ${workflowID}: ${found}`;
}
