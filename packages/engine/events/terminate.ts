/** Terminate events: BPMN 2.0.2 section 10.5.5.1. Only end events can have one; it ends everything in their scope. */
import { interrupt } from '../behaviors/lifecycle/interruption.js';
import { scopeOf } from '../run.js';
import type { TriggerBehavior } from './trigger.js';

export interface TerminateTrigger {
  kind: 'terminate';
}

export const terminate: TriggerBehavior<TerminateTrigger> = {
  compile: () => ({ kind: 'terminate' }),
  /** BPMN 2.0.2 section 13.5.6: everything in the scope ends; then the scope itself ends normally. */
  throw(run, element, node) {
    interrupt(run, scopeOf(run, element)!, `terminated by end event ${node.id}`, element);
    return { ok: true, value: 'THROWN' };
  },
};
