import { z } from 'zod';
import { SECRET_NAME } from '../../../../../outbound/secrets/secret.js';
import { modelIdentifier, pageOf, timestamp, uuid } from '../../../../contract/schemas.js';
import { cloudEvent, position, publicTypes } from '../../shared/schemas.js';

const settings = {
  name: z.string().min(1).max(255),
  url: z.string().min(1).max(2048).describe('Must be in EGRESS_ALLOW of the host.'),
  secret: z
    .string()
    .regex(SECRET_NAME, { error: 'must be the name of a secret' })
    .describe('The name of the secret that signs: base64 of at least 16 bytes, with or without `whsec_`.'),
  types: z.array(z.enum(publicTypes)).min(1).max(50),
  processIds: z.array(modelIdentifier).min(1).max(100).optional().describe('Absent: of all processes.'),
  enabled: z.boolean(),
};

export const createEventSubscriptionRequest = z
  .strictObject({
    ...settings,
    enabled: settings.enabled.default(true),
    after: position.optional().describe('Absent: events from now on. `0`: from the oldest event.'),
  })
  .meta({ id: 'CreateEventSubscriptionRequest' });

export const updateEventSubscriptionRequest = z
  .strictObject({
    ...settings,
    processIds: settings.processIds.unwrap().nullable().describe('Null: of all processes.'),
  })
  .partial()
  .meta({ id: 'UpdateEventSubscriptionRequest' });

export const eventSubscription = z
  .strictObject({
    subscriptionID: uuid,
    ...settings,
    position: z.string().describe('Events up to here are delivered, on their way, or dead letters.'),
    pending: z.int().describe('Events that wait for their delivery, among the first 10,000 after the position.'),
    failingSince: timestamp.optional(),
    lastError: z.string().optional(),
    deadLetters: z.int(),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'EventSubscription' });

export const eventSubscriptionPage = pageOf('EventSubscriptionPaginatedResponse', eventSubscription);

export const deadLetter = z
  .strictObject({ event: cloudEvent, attempts: z.int(), lastError: z.string().optional(), deadAt: timestamp })
  .meta({ id: 'DeadLetter' });

export const deadLetterPage = pageOf('DeadLetterPaginatedResponse', deadLetter);

export const redeliverRequest = z
  .strictObject({
    ids: z.array(position).min(1).max(1000).optional().describe('Ids of events. Absent: the oldest 10,000.'),
  })
  .meta({ id: 'RedeliverDeadLettersRequest' });
