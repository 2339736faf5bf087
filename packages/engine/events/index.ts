/** The registry of event definitions. A missing kind does not compile. */
import type { Compiler, SourceElement } from '../model/source.js';
import { cancel, type CancelTrigger } from './cancel.js';
import { compensate, type CompensateTrigger } from './compensate.js';
import { conditional, type ConditionalTrigger } from './conditional.js';
import { error, type ErrorTrigger } from './error.js';
import { escalation, type EscalationTrigger } from './escalation.js';
import { link, type LinkTrigger } from './link.js';
import { message, type MessageTrigger } from './message.js';
import { signal, type SignalTrigger } from './signal.js';
import { terminate, type TerminateTrigger } from './terminate.js';
import { timer, type TimerTrigger } from './timer.js';
import type { TriggerBehavior } from './trigger.js';

export type Trigger =
  | MessageTrigger
  | TimerTrigger
  | SignalTrigger
  | ConditionalTrigger
  | LinkTrigger
  | ErrorTrigger
  | EscalationTrigger
  | CompensateTrigger
  | CancelTrigger
  | TerminateTrigger;
export type TriggerKind = Trigger['kind'];

export const triggers: { [K in TriggerKind]: TriggerBehavior<Extract<Trigger, { kind: K }>> } = {
  message,
  timer,
  signal,
  conditional,
  link,
  error,
  escalation,
  compensate,
  cancel,
  terminate,
};

/**
 * Compiles the event definitions of `event`.
 * @param allowed the kinds that BPMN 2.0.2 table 10.93 allows in this position
 */
export function compileTriggers(
  event: SourceElement,
  compiler: Compiler,
  allowed: readonly TriggerKind[],
  position: string,
): Trigger[] {
  return event.eventDefinitions().flatMap((definition) => {
    const kind = definition.type.replace(/EventDefinition$/, '');
    if (!Object.hasOwn(triggers, kind)) {
      compiler.problem('error', event, `${position} with ${definition.type} is not supported`);
      return [];
    }
    if (!allowed.includes(kind as TriggerKind)) {
      compiler.problem(
        'error',
        event,
        `${position} cannot have ${definition.type}; allowed: ${allowed.join(', ') || 'none'}`,
      );
      return [];
    }
    const trigger = triggers[kind as TriggerKind].compile(definition, compiler, event);
    return trigger ? [trigger] : [];
  });
}

/** Whether the event needs all of its definitions, as part of its node. */
export function parallelMultiple(event: SourceElement): { parallelMultiple?: true } {
  return event.flag('parallelMultiple', false) && event.eventDefinitions().length > 1 ? { parallelMultiple: true } : {};
}
