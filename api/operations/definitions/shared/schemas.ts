import { z } from 'zod';
import { suspensionMembers, timestamp, uuid } from '../../../contract/schemas.js';
import { partialSuspensionMembers } from '../../suspension/shared/schemas.js';

/** A timer that starts instances of the definition. */
const startTimer = z
  .strictObject({
    nodeID: z.string(),
    type: z.enum(['date', 'cycle']),
    timer: z.string().meta({ description: 'An instant, an ISO 8601 repetition, or a cron expression.' }),
    active: z.boolean().meta({ description: 'False when a newer version has replaced this one.' }),
    skippedTicks: z
      .int()
      .meta({ description: 'Ticks that started no instance because the definition, or its starts, were suspended.' }),
    lastSkippedAt: timestamp.optional(),
  })
  .meta({ id: 'BpmnStartTimer' });

/** One deployed version of one process. */
export const definition = z
  .strictObject({
    id: uuid,
    resourceID: uuid,
    processID: z.string(),
    processName: z.string().optional(),
    version: z.int(),
    versionTag: z.string().optional(),
    createdAt: timestamp,
    ...suspensionMembers,
    ...partialSuspensionMembers,
    startTimers: z.array(startTimer),
  })
  .meta({ id: 'BpmnDefinition' });

export const definitionNodes = z
  .strictObject({
    nodes: z.array(
      z
        .strictObject({ nodeID: z.string(), activeInstances: z.int(), openIncidents: z.int() })
        .meta({ id: 'BpmnNodeCounts' }),
    ),
    unplacedInstances: z.int().meta({
      description: 'Running instances whose active nodes are not known yet, because they have not started.',
    }),
  })
  .meta({ id: 'BpmnDefinitionNodes' });
