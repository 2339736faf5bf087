/**
 * Everything that the driver calls by kind. Elements and event definitions import the driver, so the driver reaches them
 * only through the run: `new-run.ts` puts the registry there. The types refer to each other in a circle (elements, run,
 * registry), because the set of elements is closed and each of them works on the whole run.
 */
import type { Variables } from './contract/json.js';
import type { ElementBehavior } from './elements/element.js';
import type { ActivityNode, Node, NodeKind, NodeOf } from './model/graph.js';
import type { Run } from './run.js';
import type { ElementInstance } from './state/state.js';
import type { Trigger, TriggerKind } from './events/index.js';
import type { TriggerBehavior } from './events/trigger.js';

/** The body of a multi-instance activity or standard loop, which contains the inner instances. */
export interface LoopBehavior {
  /** Starts the body, or continues it after its incident was resolved. */
  enter(run: Run, body: ElementInstance, node: ActivityNode): void;
  /** Called when an inner instance completes. */
  innerCompleted(run: Run, inner: ElementInstance, node: ActivityNode): void;
}

export interface Registry {
  readonly elements: { readonly [K in NodeKind]: ElementBehavior<NodeOf<K>> };
  readonly triggers: { readonly [K in TriggerKind]: TriggerBehavior<Extract<Trigger, { kind: K }>> };
  readonly loop: LoopBehavior;
}

export function behaviorOf(run: Run, node: Node): ElementBehavior<Node> {
  return run.registry.elements[node.kind] as ElementBehavior<Node>;
}

/**
 * Handles the occurrence of an event that listened on `host`.
 * @param node the boundary event or event sub-process
 * @param as how history shows the end of a host that the event interrupts
 */
export function fireEvent(
  run: Run,
  host: ElementInstance,
  node: Node,
  payload?: Variables,
  as?: 'ELEMENT_FAILED',
): void {
  const { fire } = behaviorOf(run, node);
  if (!fire) throw new Error(`${node.kind} ${node.id} cannot fire; compilation should have rejected it`);
  fire(run, host, node, payload, as);
}
