/**
 * Complex gateways: BPMN 2.0.2 section 13.4.5. The gateway starts when its activation condition is true, then waits for
 * the tokens that can still arrive and resets.
 *
 * The condition sees `activationCount`, the number of incoming flows with a token. Conditions of outgoing flows also
 * see `waitingForStart`: true when the gateway starts, false when it resets. A flow without a condition is taken only
 * on start.
 */
import { activate, leave } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { arrivedFlows, isTokenExpected, raiseAtJoin } from '../behaviors/flow/joins.js';
import { flowsThatHold } from '../behaviors/flow/outgoing-flows.js';
import type { Result } from '../failure.js';
import { truth } from '../feel.js';
import type { Expression, NodeBase } from '../model/graph.js';
import { resetKey } from '../state/element-data.js';
import { childrenOf, incidentsOf, record, scopeOf, type Run } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';

export interface ComplexGatewayNode extends NodeBase {
  kind: 'complexGateway';
  defaultFlow?: string;
  /** Absent: a token on any incoming flow starts it. */
  activationCondition?: Expression;
}

export const complexGateway: ElementBehavior<ComplexGatewayNode> = {
  compile(source, compiler) {
    const condition = source.children('activationCondition')[0]?.text;
    return condition ? { activationCondition: compiler.feel(source, condition, 'activation condition') } : {};
  },

  /** The placed token fires it; without having started, the gateway would reset. */
  placedBefore(run, node, scope) {
    if (!startedFlows(node, scope)) remember(run, node, scope, []);
  },

  arrive(run, node, scope) {
    record(run, { kind: 'TOKEN_ARRIVED' });
    if (!startedFlows(node, scope)) start(run, node, scope);
  },

  fireJoin(run, node, scope) {
    const started = startedFlows(node, scope);
    if (started) return reset(run, node, scope, started);
    return incidentsOf(run, scope.id).every((incident) => incident.node !== node.id) && start(run, node, scope);
  },

  enter(run, element, node) {
    const scope = scopeOf(run, element)!;
    const flows = flowsToTake(run, element, node, !startedFlows(node, scope));
    if (!flows.ok) return fail(run, element, flows.failure);
    leave(run, element, flows.value);
  },
};

/** The gateway's first phase. @returns whether it started */
function start(run: Run, node: ComplexGatewayNode, scope: ElementInstance): boolean {
  const joined = arrivedFlows(run, node, scope);
  if (joined.length === 0 || isEntered(run, node, scope)) return false;
  const activated = node.activationCondition
    ? truth(run, scope, node.activationCondition, `activation condition of ${node.id}`, {
        activationCount: joined.length,
        waitingForStart: true,
      })
    : { ok: true as const, value: true };
  if (!activated.ok) raiseAtJoin(run, { scope, node }, activated.failure);
  if (!activated.ok || !activated.value) return false;
  remember(run, node, scope, joined);
  activate(run, node.id, scope, { joined });
  return true;
}

/** The second phase: no more tokens can arrive. @returns whether it reset */
function reset(run: Run, node: ComplexGatewayNode, scope: ElementInstance, started: readonly string[]): boolean {
  const joined = arrivedFlows(run, node, scope).filter((flow) => !started.includes(flow));
  if (isEntered(run, node, scope) || isTokenExpected(run, node, scope, [...started, ...joined])) return false;
  remember(run, node, scope, null);
  if (joined.length > 0 || node.outgoing.some((flow) => run.model.flow(flow).condition))
    activate(run, node.id, scope, { joined });
  return true;
}

function flowsToTake(run: Run, element: ElementInstance, node: ComplexGatewayNode, resets: boolean): Result<string[]> {
  const taking = resets
    ? { ...node, defaultFlow: undefined, outgoing: node.outgoing.filter((flow) => run.model.flow(flow).condition) }
    : node;
  const extra = { activationCount: node.incoming.length, waitingForStart: !resets };
  const flows = flowsThatHold(run, element, taking, extra);
  return resets && !flows.ok && flows.failure.errorType === 'GatewayNoMatch' ? { ok: true, value: [] } : flows;
}

/** Whether it is at an incident in the middle of a phase. */
function isEntered(run: Run, node: ComplexGatewayNode, scope: ElementInstance): boolean {
  return childrenOf(run, scope.id).some((element) => element.node === node.id);
}

/** Incoming flows whose tokens started it; undefined while it waits to start. */
function startedFlows(node: ComplexGatewayNode, scope: ElementInstance): string[] | undefined {
  return (scope.data?.[resetKey(node.id)] as string[] | null | undefined) ?? undefined;
}

function remember(run: Run, node: ComplexGatewayNode, scope: ElementInstance, started: string[] | null): void {
  record(run, { kind: 'ELEMENT_DATA_SET', element: scope.id, data: { [resetKey(node.id)]: started } });
}
