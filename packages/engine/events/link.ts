/**
 * Link events: BPMN 2.0.2 section 10.5.5.1. A throw event continues at the catch event of the same name in the same
 * scope, as if a sequence flow led there.
 */
import { activate } from '../behaviors/lifecycle/activation.js';
import { failed } from '../failure.js';
import { linkTarget } from '../model/paths.js';
import { scopeOf } from '../run.js';
import type { TriggerBehavior } from './trigger.js';

export interface LinkTrigger {
  kind: 'link';
  name: string;
}

export const link: TriggerBehavior<LinkTrigger> = {
  compile(definition, compiler, event) {
    const name = definition.name ?? '';
    if (name === '') compiler.problem('error', event, `Link event ${event.id} needs a name in its link definition`);
    return { kind: 'link', name };
  },
  throw(run, element, node, trigger) {
    const target = linkTarget(run.model, node);
    if (target === undefined) {
      return failed({
        errorType: 'LinkNotFound',
        message: `Link event ${node.id} leads to link ${JSON.stringify(trigger.name)}, but its scope has no catch event with that name`,
      });
    }
    activate(run, target, scopeOf(run, element)!);
    return { ok: true, value: 'THROWN' };
  },
};
