/** Signals: BPMN 2.0.2 section 10.5.5.1. Broadcast to every subscriber of that name. */
import { subscribeToSignal, throwSignal } from '../behaviors/waiting/messages.js';
import type { Expression } from '../model/graph.js';
import type { TriggerBehavior } from './trigger.js';

export interface SignalTrigger {
  kind: 'signal';
  name: Expression;
  /** How long a thrown signal is buffered for later subscribers. */
  ttl?: Expression;
}

export const signal: TriggerBehavior<SignalTrigger> = {
  compile(definition, compiler, event) {
    const root = definition.reference('signalRef');
    const name = root?.name ?? '';
    if (!root || name === '') {
      compiler.problem('error', event, `${event.type} ${event.id} needs a signal with a name (signalRef)`);
      return undefined;
    }
    const ttl = definition.attribute('ttl') ?? root.attribute('ttl');
    return {
      kind: 'signal',
      name: compiler.expression(event, name, 'signal name'),
      ...(ttl && { ttl: compiler.expression(event, ttl, 'time to live') }),
    };
  },
  listen: (run, element, node, trigger) => subscribeToSignal(run, element, node.id, trigger.name),
  throw: (run, element, _node, trigger) => throwSignal(run, element, trigger),
};
