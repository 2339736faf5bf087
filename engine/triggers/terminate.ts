/** Terminate: BPMN 2.0.2 section 10.5.5.1. Only end events have it; it ends everything in their scope. */
import type { TriggerBehavior } from './trigger.js';

export interface TerminateTrigger {
  kind: 'terminate';
}

export const terminate: TriggerBehavior<TerminateTrigger> = {
  compile: () => ({ kind: 'terminate' }),
};
