/** Escalations: BPMN 2.0.2 section 10.5.5.1. Where they go stands in `behaviors/escalations.ts`. */
import { throwEscalation } from '../behaviors/escalations.js';
import type { TriggerBehavior } from './trigger.js';

export interface EscalationTrigger {
  kind: 'escalation';
  /** Absent on a catching event: every escalation. */
  escalationCode?: string;
}

const THROWING = ['intermediateThrowEvent', 'endEvent'];

export const escalation: TriggerBehavior<EscalationTrigger> = {
  compile(definition, compiler, event) {
    const escalationCode = definition.reference('escalationRef')?.attribute('escalationCode');
    if (THROWING.includes(event.type) && !escalationCode) {
      compiler.problem('error', event, `${event.type} ${event.id} needs an escalation with an escalationCode to throw`);
    }
    return { kind: 'escalation', ...(escalationCode && { escalationCode }) };
  },
  throw(run, element, _node, { escalationCode }) {
    throwEscalation(run, element, escalationCode, element.variables);
    return { ok: true, value: 'THROWN' };
  },
};
