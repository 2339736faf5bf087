import { z } from 'zod';
import { publicationStates } from '../../../../store/publications/publications.js';
import { pageOf, timestamp, uuid, variables, givenIsTest } from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';
import { timeToLive } from './time-to-live.js';

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
    /** Reaches tests of drafts only. */
    isTest: givenIsTest,
  })
  .meta({ id: 'PublishBpmnMessageRequest' });

export const publishSignalRequest = z
  .strictObject({
    signalName: z.string().min(1).max(255),
    variables: givenVariables.optional(),
    ttl: timeToLive.optional(),
    /** Reaches tests of drafts only. */
    isTest: givenIsTest,
  })
  .meta({ id: 'PublishBpmnSignalRequest' });

export const publicationType = z.enum(['message', 'signal']);

/** A member in which a message differs from what a subscription asks for. */
const difference = z
  .strictObject({
    path: z.string().describe('JSON pointer into the correlation keys; empty for the whole'),
    reason: z.enum(['TYPE', 'VALUE', 'MISSING']),
    expected: z.unknown().optional().describe('Value that the subscription asks for; absent if it is large'),
    found: z.unknown().optional().describe('Value in the message; absent if it is large'),
  })
  .meta({ id: 'BpmnCorrelationDifference' });

const nearMiss = z
  .strictObject({
    workflowID: z.string(),
    nodeID: z.string(),
    correlationKeys: z.unknown().optional(),
    differences: z.array(difference),
  })
  .meta({ id: 'BpmnNearMiss' });

export const publication = z
  .strictObject({
    publicationID: uuid,
    type: publicationType,
    name: z.string(),
    correlationKeys: z.unknown().optional().describe('Absent from lists and from ended publications above 4 KiB'),
    variables: variables.optional().describe('Only in the response to GetBpmnPublication, while it is kept'),
    state: z
      .enum(publicationStates)
      .describe('CLAIMED: given to an instance that has not handled it yet. A signal is kept until its `ttl` ends.'),
    publishedBy: z.string().optional().describe('Absent if an instance has published it'),
    publishedAt: timestamp,
    expiresAt: timestamp,
    endedAt: timestamp.optional(),
    takenBy: z.strictObject({ workflowID: z.string(), nodeID: z.string() }).optional(),
    started: z
      .array(z.strictObject({ workflowID: z.string(), definitionID: uuid }))
      .optional()
      .describe('The first 20 instances that it has started'),
    reached: z.int().optional().describe('How many instances a signal was given to'),
    nearMisses: z
      .array(nearMiss)
      .optional()
      .describe('Open subscriptions of the name that a kept message does not match, oldest first, at most 20'),
  })
  .meta({ id: 'BpmnPublication' });

export const publicationPage = pageOf('BpmnPublicationPaginatedResponse', publication);

export const subscription = z
  .strictObject({
    type: publicationType,
    name: z.string(),
    correlationKeys: z.unknown().optional().describe('Absent above 4 KiB'),
    nodeID: z.string(),
    workflowID: z.string().optional().describe('Absent if it starts a process'),
    definitionID: uuid,
    processId: z.string(),
    openedAt: timestamp,
    publicationID: uuid.optional().describe('The publication that is on its way to it'),
    keptUnmatched: z.int().describe('Kept messages of the name that do not match, at most 100 counted'),
  })
  .meta({ id: 'BpmnSubscription' });

export const subscriptionPage = pageOf('BpmnSubscriptionPaginatedResponse', subscription);
