/** Events as others see them: CloudEvents 1.0 in JSON. */
import type { StoredEvent } from './feed.js';
import type { EventType } from './types.js';

export const PREFIX = 'perdure.';

export interface CloudEvent {
  specversion: '1.0';
  /** The position of the event. */
  id: string;
  source: string;
  type: `${typeof PREFIX}${EventType}`;
  subject: string;
  /** RFC 3339 in UTC. */
  time: string;
  datacontenttype: 'application/json';
  data: Record<string, unknown>;
}

export function toCloudEvent(
  projectID: string,
  { position, type, subject, happenedAt, data }: StoredEvent,
): CloudEvent {
  return {
    specversion: '1.0',
    id: position,
    source: `/projects/${projectID}`,
    type: `${PREFIX}${type}`,
    subject,
    time: happenedAt.toISOString(),
    datacontenttype: 'application/json',
    data,
  };
}
