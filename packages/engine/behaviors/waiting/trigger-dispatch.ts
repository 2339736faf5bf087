/** Listening for and throwing event definitions, whatever their kind. */
import type { Result } from '../../failure.js';
import type { Node } from '../../model/graph.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import type { Trigger } from '../../events/index.js';
import type { Thrown, TriggerBehavior } from '../../events/trigger.js';

/** Starts listening for each of `given` that is an external event. */
export function listen(run: Run, element: ElementInstance, node: Node, given: readonly Trigger[]): Result<void> {
  for (const trigger of given) {
    const listening = behaviorOfTrigger(run, trigger).listen?.(run, element, node, trigger);
    if (listening && !listening.ok) return listening;
  }
  return { ok: true, value: undefined };
}

/** Throws `trigger` from `element`. */
export function throwTrigger(run: Run, element: ElementInstance, node: Node, trigger: Trigger): Result<Thrown> {
  const behavior = behaviorOfTrigger(run, trigger);
  if (!behavior.throw)
    throw new Error(`${trigger.kind} cannot be thrown; compilation should have rejected it at ${node.id}`);
  return behavior.throw(run, element, node, trigger);
}

function behaviorOfTrigger(run: Run, { kind }: Trigger): TriggerBehavior<Trigger> {
  return run.registry.triggers[kind] as TriggerBehavior<Trigger>;
}
