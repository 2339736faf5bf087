/**
 * The events that can start an instance of a process (BPMN 2.0.2 section 13.2): start events, instantiating receive
 * tasks, and the events after an instantiating event-based gateway. No variables exist yet, so a name or timer is a
 * literal or an expression without variables.
 */
import { evaluate, toJson } from '@perdure/feel/evaluate.js';
import { isParallelMultiple, type Model } from './model.js';
import type { Expression, Node } from './graph.js';
import type { Trigger } from '../events/index.js';

interface EntryPoint {
  /** For `StartInput.startNode`. */
  node: string;
  /** For `StartInput.startTrigger`. */
  trigger: number;
  /**
   * Whether an instance starts only when all triggers of the node have arrived (BPMN 2.0.2 table 10.84, Parallel
   * Multiple).
   */
  together?: true;
  what:
    | { kind: 'message' | 'signal'; name: string }
    /** `text` is undefined if the expression returns none. */
    | { kind: 'timer'; at: 'date' | 'duration' | 'cycle'; text: string | undefined }
    | { kind: 'conditional'; condition: Expression };
}

/**
 * All entry points of the process, in document order.
 * @param now epoch milliseconds, for names and timers that are expressions
 */
export function entryPoints(model: Model, now: number): EntryPoint[] {
  return model.inside(model.root.id).flatMap((node) =>
    startTriggers(model, node).flatMap((trigger, index) => {
      const what = entryOf(model, trigger, now);
      return what
        ? [{ node: node.id, trigger: index, ...(isParallelMultiple(node) && { together: true as const }), what }]
        : [];
    }),
  );
}

function startTriggers(model: Model, node: Node): Trigger[] {
  switch (node.kind) {
    case 'startEvent':
      return node.triggers;
    case 'receiveTask':
      return node.instantiate || isBehindInstantiatingGateway(model, node)
        ? [{ kind: 'message', ...node.message }]
        : [];
    case 'intermediateCatchEvent':
      return isBehindInstantiatingGateway(model, node) ? node.triggers : [];
    default:
      return [];
  }
}

function isBehindInstantiatingGateway(model: Model, node: Node): boolean {
  return node.incoming.some((flow) => {
    const source = model.node(model.flow(flow).source);
    return source.kind === 'eventBasedGateway' && source.instantiate === true;
  });
}

function entryOf(model: Model, trigger: Trigger, now: number): EntryPoint['what'] | undefined {
  switch (trigger.kind) {
    case 'message':
    case 'signal': {
      const name = constantText(model, trigger.name, now);
      return name === undefined ? undefined : { kind: trigger.kind, name };
    }
    case 'timer':
      return { kind: 'timer', at: trigger.at, text: constantText(model, trigger.expression, now) };
    case 'conditional':
      return { kind: 'conditional', condition: trigger.condition };
    default:
      return undefined;
  }
}

function constantText(model: Model, expression: Expression, now: number): string | undefined {
  const resolved = model.resolve(expression);
  if ('literal' in resolved) return typeof resolved.literal === 'string' ? resolved.literal : undefined;
  const outcome = evaluate(resolved.compiled, {}, { now, mode: 'strict' });
  const value = outcome.ok ? toJson(outcome.value) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
