import { z } from 'zod';
import { uuid } from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';
import { timeToLive } from '../../../contract/time-to-live.js';

/** Compared with its type. An empty string or object counts as no correlation. */
const correlationKeys = z
  .union([z.string().max(1000), z.number(), z.boolean(), z.record(z.string(), z.unknown())])
  .meta({ id: 'CorrelationKeys' });

export const publishMessageRequest = z
  .strictObject({
    messageName: z.string().min(1).max(255),
    correlationKeys: correlationKeys.optional(),
    variables: givenVariables.optional(),
    ttl: timeToLive.optional(),
  })
  .meta({ id: 'PublishBpmnMessageRequest' });

export const publishSignalRequest = z
  .strictObject({
    signalName: z.string().min(1).max(255),
    variables: givenVariables.optional(),
    ttl: timeToLive.optional(),
  })
  .meta({ id: 'PublishBpmnSignalRequest' });

export const publication = z.strictObject({ publicationID: uuid }).meta({ id: 'BpmnPublication' });
