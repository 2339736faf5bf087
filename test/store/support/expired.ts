/** Deletes what has expired as the chores of a worker do, until there is no more. */
import type { Queryable } from '../../../store/sql/database.js';
import { dropPublications, forgetDeliveries, retireSignals } from '../../../store/messages/expired-publications.js';
import type { PublicationType } from '../../../store/messages/correlation.js';

/** @returns how many expired publications of each type were deleted */
export async function dropExpired(database: Queryable, atOnce?: number): Promise<Record<PublicationType, number>> {
  while ((await retireSignals(database, atOnce)) > 0);
  while ((await forgetDeliveries(database, atOnce)) > 0);
  const dropped = { message: 0, signal: 0 };
  for (let types = await dropPublications(database, atOnce); types.length > 0;) {
    for (const type of types) dropped[type] += 1;
    types = await dropPublications(database, atOnce);
  }
  return dropped;
}
