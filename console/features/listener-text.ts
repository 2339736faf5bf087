/** How the console names the listener whose job it shows. */
import type { Schemas } from '../frame/api/client.js';

type Listener = NonNullable<Schemas['ExternalJob']['listener']>;

export function listenerText({ kind, eventType }: Listener): string {
  return `${kind.toLowerCase()} listener at ${eventType}`;
}
