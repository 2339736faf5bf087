import { z } from 'zod';
import { givenTimeAhead, reason, timestamp } from '../../../contract/schemas.js';
import { suspensionEntry } from '../../instances/shared/schemas.js';

export const suspendInstanceRequest = z.strictObject({ reason }).meta({ id: 'SuspendBpmnInstanceRequest' });
export const resumeInstanceRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnInstanceRequest' });
export const resumeDefinitionRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnDefinitionRequest' });

export const suspendDefinitionRequest = z
  .strictObject({
    instances: z
      .boolean()
      .default(true)
      .describe('Whether running instances pause as well. With false, only starts are refused.'),
    at: givenTimeAhead.optional().describe('When it takes effect, at most 366 days ahead (default: now).'),
    reason,
  })
  .meta({ id: 'SuspendBpmnDefinitionRequest' });

const scheduledSuspension = z
  .strictObject({
    at: timestamp,
    /** Whether running instances pause as well. */
    instances: z.boolean(),
    scheduledBy: z.string(),
    reason: z.string().optional(),
  })
  .meta({ id: 'ScheduledSuspension' });

/** Suspensions of a definition besides its `suspensionMembers`, which are about a full one. */
export const partialSuspensionMembers = {
  /** Of starts only: running instances continue. */
  startsSuspension: suspensionEntry.optional(),
  scheduledSuspension: scheduledSuspension.optional(),
};

/** Work queued for a paused instance and applied on resume. */
export const waitingEvent = z
  .strictObject({
    /** `child`: a child instance has ended or escalated; `call`: the child instance is paused before its first step. */
    kind: z.enum(['job', 'userTask', 'adHoc', 'message', 'signal', 'timer', 'child', 'call']),
    nodeID: z.string().optional(),
    /** The name of the message or signal. */
    name: z.string().optional(),
    since: timestamp,
  })
  .meta({ id: 'BpmnWaitingEvent' });

export const instanceSuspension = z
  .strictObject({
    instanceSuspension: suspensionEntry.optional(),
    definitionSuspension: suspensionEntry.optional(),
    parentSuspension: suspensionEntry.optional(),
    /** In order of arrival. */
    waiting: z.array(waitingEvent),
  })
  .meta({ id: 'BpmnInstanceSuspension' });
