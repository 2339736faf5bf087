import { z } from 'zod';
import { parseTimeToLive } from '@perdure/engine/time/time-to-live.js';
import { MAX_TIME_TO_LIVE_MS } from '../../../../store/messages/messages.js';
import { deliveryOutcomes } from '../../../../store/hooks/deliveries.js';
import { SECRET_NAME } from '../../../../outbound/secrets/secret.js';
import { pageOf, timestamp, uuid } from '../../../contract/schemas.js';

const secret = z
  .string()
  .regex(SECRET_NAME, { error: 'must be the name of a secret: letters, digits, underscores, and hyphens' })
  .describe('Name of a secret of the project. Both of its values verify.');

/** A header name as RFC 9110 section 5.1 defines it. */
const header = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'must be the name of a header' });

const auth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('HMAC').describe('HMAC with SHA-256 over the body'),
    secret,
    header,
    prefix: z.string().max(100).optional().describe('Text before the signature in the header'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
  }),
  z.strictObject({
    type: z
      .literal('STRIPE')
      .describe('`Stripe-Signature`. The same signed delivery publishes once within 10 minutes.'),
    secret,
  }),
  z.strictObject({
    type: z
      .literal('STANDARD')
      .describe(
        'Standard Webhooks; the secret is base64, with or without `whsec_`. The same `webhook-id` publishes once within 10 minutes.',
      ),
    secret,
  }),
  z.strictObject({ type: z.literal('HEADER').describe('The header equals the secret'), secret, header }),
]);

const feel = z.string().min(1).max(10_000);

/** Kept as it is written: a duration begins with each delivery. */
const ttl = z
  .string()
  .max(100)
  .refine((text) => (parseTimeToLive(text, Date.now()) ?? Infinity) <= MAX_TIME_TO_LIVE_MS, {
    error: 'must be a duration such as PT1H or 1h30m, or an instant such as 2026-01-31T09:00:00Z, of at most 100 years',
  });

const content = {
  name: z.string().min(1).max(100),
  auth,
  messageName: feel.describe('FEEL over `body`, `headers`, and `query`. Null: the delivery is ignored.'),
  correlationKeys: feel.optional().describe('FEEL'),
  variables: feel.optional().describe('FEEL'),
  idempotencyKey: feel.optional().describe('FEEL. Deliveries with the same key within 24 hours publish once.'),
};

export const hookRequest = z
  .strictObject({ ...content, ttl: ttl.optional(), enabled: z.boolean().default(true) })
  .meta({ id: 'HookRequest' });

export const hook = z
  .strictObject({
    hookID: uuid,
    path: z.string().describe('At the address of the hooks of this installation'),
    ...content,
    ttl: z.string().optional(),
    enabled: z.boolean(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedBy: z.string().optional(),
    updatedAt: timestamp.optional(),
  })
  .meta({ id: 'Hook' });

export const hookPage = pageOf('HooksPaginatedResponse', hook);

export const delivery = z
  .strictObject({
    deliveryID: uuid,
    receivedAt: timestamp,
    outcome: z.enum(deliveryOutcomes),
    publicationID: uuid.optional(),
    problem: z.string().optional(),
    body: z.string().optional().describe('The first 64 KiB, for the newest 1,000 failures of the hook'),
    redeliverable: z
      .boolean()
      .describe(
        'Whether `RedeliverHookDelivery` can deliver it again: it is FAILED and its body was kept whole. The hook must be enabled too.',
      ),
  })
  .meta({ id: 'HookDelivery' });

export const deliveryPage = pageOf('HookDeliveriesPaginatedResponse', delivery);
