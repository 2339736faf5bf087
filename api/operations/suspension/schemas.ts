import { z } from 'zod';
import { timestamp } from '../../schemas.js';
import { suspensionEntry } from '../instances/schemas.js';

const reason = z.string().max(1000).optional();

export const suspendInstanceRequest = z.strictObject({ reason }).meta({ id: 'SuspendBpmnInstanceRequest' });
export const resumeInstanceRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnInstanceRequest' });
export const suspendDefinitionRequest = z.strictObject({ reason }).meta({ id: 'SuspendBpmnDefinitionRequest' });
export const resumeDefinitionRequest = z.strictObject({ reason }).meta({ id: 'ResumeBpmnDefinitionRequest' });

/** Something that has come to a paused instance and happens when it is resumed. */
export const waitingEvent = z
  .strictObject({
    /** `child`: a called instance has ended or escalated; `call`: the called instance is paused before its first step. */
    kind: z.enum(['job', 'userTask', 'adHoc', 'message', 'signal', 'timer', 'child', 'call']),
    nodeID: z.string().optional(),
    /** Of the message or signal. */
    name: z.string().optional(),
    since: timestamp,
  })
  .meta({ id: 'BpmnWaitingEvent' });

export const instanceSuspension = z
  .strictObject({
    instanceSuspension: suspensionEntry.optional(),
    definitionSuspension: suspensionEntry.optional(),
    parentSuspension: suspensionEntry.optional(),
    /** In the order in which it came. */
    waiting: z.array(waitingEvent),
  })
  .meta({ id: 'BpmnInstanceSuspension' });
