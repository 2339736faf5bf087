import { z } from 'zod';
import { PREFIX } from '../../../../store/events/cloud-event.js';
import { eventTypes } from '../../../../store/events/types.js';
import { timestamp } from '../../../contract/schemas.js';

/** The types as the API names them. */
export const publicTypes = eventTypes.map((type) => `${PREFIX}${type}` as const);

/** A position of a feed. At most 18 digits, so that it fits into a number of Postgres. */
export const position = z.string().regex(/^(?:0|[1-9]\d{0,17})$/, { error: 'must be a position, such as 1042' });

/** CloudEvents 1.0, JSON. */
export const cloudEvent = z
  .strictObject({
    specversion: z.literal('1.0'),
    id: z.string().describe('The position of the event.'),
    source: z.string(),
    type: z.enum(publicTypes),
    subject: z.string().describe('The id of the instance, incident, user task, definition, or batch.'),
    time: timestamp,
    datacontenttype: z.literal('application/json'),
    data: z.record(z.string(), z.unknown()).describe('Never a variable or an error message.'),
  })
  .meta({ id: 'CloudEvent' });

export const eventsPart = z
  .strictObject({
    data: z.array(cloudEvent),
    next: z.string().describe('The `after` of the next request.'),
  })
  .meta({ id: 'EventsPart' });
