import type { z } from 'zod';
import type { StoredEvent } from '../../../../store/events/feed.js';
import { time } from '../../../contract/wire.js';
import { PREFIX, type cloudEvent } from './schemas.js';

export function toCloudEvent(
  projectID: string,
  { position, type, subject, happenedAt, data }: StoredEvent,
): z.output<typeof cloudEvent> {
  return {
    specversion: '1.0',
    id: position,
    source: `/projects/${projectID}`,
    type: `${PREFIX}${type}`,
    subject,
    time: time(happenedAt),
    datacontenttype: 'application/json',
    data,
  };
}
