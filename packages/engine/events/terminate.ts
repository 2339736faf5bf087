/** Terminate events: BPMN 2.0.2 section 10.5.5.1. Only end events can have one; it ends everything in their scope. */
import { finishScope } from '../behaviors/lifecycle/activation.js';
import { interrupt } from '../behaviors/lifecycle/interruption.js';
import { waitsForTasks } from '../behaviors/listeners/canceling.js';
import { scopeOf, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import type { TriggerBehavior } from './trigger.js';

export interface TerminateTrigger {
  kind: 'terminate';
}

export const terminate: TriggerBehavior<TerminateTrigger> = {
  compile: () => ({ kind: 'terminate' }),
  /** BPMN 2.0.2 section 13.5.6: everything in the scope ends; then the scope itself ends normally. */
  throw(run, element, node) {
    const scope = scopeOf(run, element)!;
    const reason = `terminated by end event ${node.id}`;
    if (!waitsForTasks(run, scope, { by: node.id, reason }, { except: element }))
      interrupt(run, scope, reason, element);
    return { ok: true, value: 'THROWN' };
  },
};

/** Called when the listeners of the user tasks in the scope have run. */
export function finishTerminated(run: Run, scope: ElementInstance, end: string): void {
  interrupt(run, scope, `terminated by end event ${end}`);
  finishScope(run, scope);
}
