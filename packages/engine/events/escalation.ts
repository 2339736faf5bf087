/** Escalations: BPMN 2.0.2 section 10.5.5.1. Propagation is in `behaviors/waiting/escalations.ts`. */
import { throwEscalation } from '../behaviors/waiting/escalations.js';
import { compileCaughtCode, compileCode, thrownCode, warnOfCatchAll } from '../behaviors/waiting/thrown-codes.js';
import type { Expression } from '../model/graph.js';
import type { TriggerBehavior } from './trigger.js';

export interface EscalationTrigger {
  kind: 'escalation';
  /** For a catching event; absent: all escalations. */
  escalationCode?: string;
  /** For a throwing event: the code it throws. */
  throws?: Expression;
}

const THROWING = ['intermediateThrowEvent', 'endEvent'];

export const escalation: TriggerBehavior<EscalationTrigger> = {
  compile(definition, compiler, event) {
    const thrown = definition.reference('escalationRef');
    const code = thrown?.attribute('escalationCode');
    if (THROWING.includes(event.type)) {
      if (!code)
        compiler.problem(
          'error',
          event,
          `${event.type} ${event.id} needs an escalation with an escalationCode to throw`,
        );
      return { kind: 'escalation', ...(code && { throws: compileCode(event, compiler, code, 'escalation code') }) };
    }
    if (thrown && code === undefined) warnOfCatchAll(event, thrown, 'escalationCode', compiler);
    const escalationCode = code && compileCaughtCode(event, compiler, code, 'escalation code');
    return { kind: 'escalation', ...(escalationCode && { escalationCode }) };
  },
  throw(run, element, _node, { throws }) {
    const code = thrownCode(run, element, throws!, 'escalation code');
    if (!code.ok) return code;
    throwEscalation(run, element, code.value, element.variables);
    return { ok: true, value: 'THROWN' };
  },
};
