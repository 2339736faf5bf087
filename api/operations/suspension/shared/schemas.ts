import { z } from 'zod';
import { timestamp } from '../../../contract/schemas.js';
import { suspensionEntry } from '../../instances/shared/schemas.js';

const reason = z.string().max(1000).optional();

export const suspendInstanceRequest = z.strictObject({ reason }).meta({ id: 'SuspendBpmnInstanceRequest' });
export const resumeInstanceRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnInstanceRequest' });
export const suspendDefinitionRequest = z.strictObject({ reason }).meta({ id: 'SuspendBpmnDefinitionRequest' });
export const resumeDefinitionRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnDefinitionRequest' });

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
