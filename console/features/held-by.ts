/** Words for the limit that holds a job back. */
import type { Schemas } from '../frame/api/client.js';

type HeldBy = NonNullable<Schemas['ExternalJob']['heldBy']>;

export const heldByText: Readonly<Record<HeldBy, string>> = {
  CONCURRENCY: 'Held back by the concurrency limit',
  RATE: 'Held back by the rate limit',
};
