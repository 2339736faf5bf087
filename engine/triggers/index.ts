/** The list of event definitions; the compiler of the language names the one that was forgotten. */
import type { Result } from '../failure.js';
import type { Node } from '../graph.js';
import type { Run } from '../run.js';
import type { Compiler, SourceElement } from '../source.js';
import type { ElementInstance } from '../state.js';
import { error, type ErrorTrigger } from './error.js';
import { terminate, type TerminateTrigger } from './terminate.js';
import { timer, type TimerTrigger } from './timer.js';
import type { TriggerBehavior } from './trigger.js';

export type Trigger = TimerTrigger | ErrorTrigger | TerminateTrigger;
export type TriggerKind = Trigger['kind'];

const triggers: { [K in TriggerKind]: TriggerBehavior<Extract<Trigger, { kind: K }>> } = { timer, error, terminate };

/**
 * Compiles the event definitions of `event`.
 * @param allowed the kinds that BPMN 2.0.2 table 10.93 gives this position
 */
export function compileTriggers(event: SourceElement, compiler: Compiler, allowed: readonly TriggerKind[], position: string): Trigger[] {
  return event.eventDefinitions().flatMap((definition) => {
    const kind = definition.type.replace(/EventDefinition$/, '');
    if (!Object.hasOwn(triggers, kind)) {
      compiler.problem('error', event, `${position} with ${definition.type} is not supported yet`);
      return [];
    }
    if (!allowed.includes(kind as TriggerKind)) {
      compiler.problem('error', event, `${position} cannot have ${definition.type}; it takes ${allowed.join(', ') || 'none'}`);
      return [];
    }
    const trigger = triggers[kind as TriggerKind].compile(definition, compiler, event);
    return trigger ? [trigger] : [];
  });
}

/** Starts listening for each of `given` that comes from outside. */
export function listen(run: Run, element: ElementInstance, node: Node, given: readonly Trigger[]): Result<void> {
  for (const trigger of given) {
    const listening = (triggers[trigger.kind] as TriggerBehavior<Trigger>).listen?.(run, element, node, trigger);
    if (listening && !listening.ok) return listening;
  }
  return { ok: true, value: undefined };
}
