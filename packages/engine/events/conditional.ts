/** Conditional events on variables: BPMN 2.0.2 section 10.5.5.1. Evaluation is in `behaviors/waiting/conditions.ts`. */
import type { Expression } from '../model/graph.js';
import { nextID, record } from '../run.js';
import type { TriggerBehavior } from './trigger.js';

export interface ConditionalTrigger {
  kind: 'conditional';
  condition: Expression;
  /** As in the model, for display; absent in graphs of earlier compilers. */
  text?: string;
}

export const conditional: TriggerBehavior<ConditionalTrigger> = {
  compile(definition, compiler, event) {
    const text = definition.children('condition')[0]?.text ?? '';
    if (text === '') {
      compiler.problem('error', event, `${event.type} ${event.id} needs a condition`);
      return undefined;
    }
    return { kind: 'conditional', condition: compiler.feel(event, text, 'condition'), text };
  },
  listen(run, element, node, trigger) {
    const index = 'triggers' in node ? node.triggers.indexOf(trigger) : 0;
    record(run, {
      kind: 'CONDITION_OPENED',
      condition: nextID(run),
      element: element.id,
      node: node.id,
      trigger: index,
    });
    return { ok: true, value: undefined };
  },
};
