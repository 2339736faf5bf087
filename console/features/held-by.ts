/** Words for the limit that holds a job back. */
import type { Schemas } from '../frame/api/client.js';

type HeldBy = NonNullable<Schemas['ExternalJob']['heldBy']>;

export const heldByText: Readonly<Record<HeldBy, string>> = {
  CONCURRENCY: 'Waits behind the limit of jobs at once',
  RATE: 'Waits behind the rate',
};
