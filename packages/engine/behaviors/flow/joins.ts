/**
 * Joining gateways with waiting tokens, checked once nothing else moves. A gateway that waits only for tokens that can
 * still arrive continues when none can. A scope with nothing left but waiting tokens is stuck and gets an incident.
 */
import type { Failure } from '../../failure.js';
import type { Node } from '../../model/graph.js';
import { resetKey } from '../../state/element-data.js';
import { behaviorOf } from '../../registry.js';
import { childrenOf, incidentsOf, nextID, record, type Run } from '../../run.js';
import { isEnabled } from '../../state/flags.js';
import type { ElementInstance, Incident, Token } from '../../state/state.js';

/** The `errorCode` of an incident at a join whose missing tokens cannot arrive. */
const STARVED = 'JOIN_STARVED';

interface Join {
  /** The element instance of the scope that contains the gateway. */
  scope: ElementInstance;
  node: Node;
}

/** @returns whether a gateway continued */
export function fireJoins(run: Run): boolean {
  const { arrived, incidents } = run.state;
  if (arrived.length === 0 && !run.model.hasComplexGateways && Object.keys(incidents).length === 0) return false;
  const joins = waitingJoins(run);
  if (fireFirst(run, joins)) return true;
  withdrawFed(run, joins);
  for (const join of joins) if (isStarved(run, join.scope) && !starvedIncident(run, join)) raiseStarved(run, join);
  return false;
}

/**
 * Lets a gateway continue while other tokens move. A scope that has not begun everything inside waits for its
 * continuation first.
 */
export function fireJoin(run: Run): void {
  if (run.state.arrived.length === 0 && !run.model.hasComplexGateways) return;
  fireFirst(
    run,
    waitingJoins(run).filter(({ scope }) => !run.state.continuing?.includes(scope.id)),
  );
}

/** @returns whether one of them continued */
function fireFirst(run: Run, joins: readonly Join[]): boolean {
  return joins.some(({ node, scope }) => behaviorOf(run, node).fireJoin?.(run, node, scope));
}

/** Incoming flows of `node` with tokens waiting in `scope`, without duplicates. */
export function arrivedFlows(run: Run, node: Node, scope: ElementInstance): string[] {
  const { arrived } = run.state;
  run.budget.chargeScan(arrived.length + node.incoming.length);
  const flows = new Set(arrived.filter((token) => token.scope === scope.id).map(({ flow }) => flow));
  return node.incoming.filter((flow) => flows.has(flow));
}

/**
 * Whether `node` has to wait for tokens that can still arrive: BPMN 2.0.2 table 13.3. A token counts if it can reach an
 * incoming flow without a token and cannot reach one that has a token.
 * @param served incoming flows that have a token, or had theirs
 */
export function isTokenExpected(run: Run, node: Node, scope: ElementInstance, served: readonly string[]): boolean {
  const having = new Set(served);
  const empty = node.incoming.filter((flow) => !having.has(flow));
  if (empty.length === 0) return false;
  if (isMovingAlong(run, scope, empty)) return true;
  const occupied = positions(run, scope, node);
  run.budget.chargeScan(occupied.length * node.incoming.length);
  return occupied.some((position) => leadsToAny(run, position, empty) && !leadsToAny(run, position, served));
}

/** Retries a resolved incident at a join by checking the join again. */
export function retryJoin(run: Run, incident: Incident): void {
  const join = { scope: run.state.elements[incident.element]!, node: run.model.node(incident.node) };
  if (behaviorOf(run, join.node).fireJoin?.(run, join.node, join.scope)) return;
  if (isStarved(run, join.scope)) raiseStarved(run, join, incident.id);
}

function waitingJoins(run: Run): Join[] {
  const { state, model } = run;
  run.budget.chargeScan(state.arrived.length);
  const joins = new Map<string, Join>();
  for (const token of state.arrived) {
    const node = model.node(model.flow(token.flow).target);
    joins.set(`${token.scope} ${node.id}`, { node, scope: state.elements[token.scope]! });
  }
  if (model.hasComplexGateways)
    for (const join of resettingJoins(run)) joins.set(`${join.scope.id} ${join.node.id}`, join);
  return [...joins.values()];
}

/** Complex gateways that wait for their reset, with or without tokens. */
function resettingJoins({ state, model }: Run): Join[] {
  return Object.values(state.elements).flatMap((scope) =>
    model
      .inside(scope.node)
      .filter((node) => scope.data?.[resetKey(node.id)])
      .map((node) => ({ scope, node })),
  );
}

function isMovingAlong(run: Run, scope: ElementInstance, flows: readonly string[]): boolean {
  const moving = movingTokens(run);
  run.budget.chargeScan(moving.length);
  return moving.some((token) => token.scope === scope.id && flows.includes(token.flow));
}

/** None, unless a join takes its turn next to a loop, or a command reaches it there. */
function movingTokens({ state }: Run): readonly Token[] {
  return isEnabled(state, 'workTakesTurns') ? state.moving : [];
}

/** Nodes other than `node` that are active or have tokens in `scope`. */
function positions(run: Run, scope: ElementInstance, node: Node): string[] {
  return occupiedNodes(run, scope).filter((position) => position !== node.id);
}

/** Cached, because many joins are checked without a fact in between, and each needs the same nodes. */
function occupiedNodes(run: Run, scope: ElementInstance): string[] {
  if (run.occupied?.facts !== run.facts.length) run.occupied = { facts: run.facts.length, nodes: new Map() };
  const { nodes } = run.occupied;
  const known = nodes.get(scope.id);
  if (known) return known;
  const active = childrenOf(run, scope.id).map((element) => element.node);
  const waiting = [...run.state.arrived, ...movingTokens(run)]
    .filter((token) => token.scope === scope.id)
    .map(({ flow }) => run.model.flow(flow).target);
  const found = [...new Set([...active, ...waiting])];
  nodes.set(scope.id, found);
  return found;
}

function leadsToAny(run: Run, position: string, flows: readonly string[]): boolean {
  return flows.some((flow) => run.model.upstream(flow).has(position));
}

/** Whether nothing but waiting tokens is left inside. */
function isStarved(run: Run, scope: ElementInstance): boolean {
  const { arrived } = run.state;
  if (arrived.length < scope.inside) return false;
  run.budget.chargeScan(arrived.length);
  return arrived.filter((token) => token.scope === scope.id).length === scope.inside;
}

function starvedIncident(run: Run, { scope, node }: Join): Incident | undefined {
  return incidentsOf(run, scope.id).find((incident) => incident.node === node.id);
}

function withdrawFed(run: Run, joins: readonly Join[]): void {
  for (const incident of Object.values(run.state.incidents)) {
    if (incident.errorCode !== STARVED) continue;
    const scope = run.state.elements[incident.element]!;
    const waits = joins.some((join) => join.scope === scope && join.node.id === incident.node);
    if (!waits || !isStarved(run, scope)) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: incident.id });
  }
}

function raiseStarved(run: Run, join: Join, previous?: number): void {
  const { scope, node } = join;
  const arrived = arrivedFlows(run, node, scope);
  const missing = node.incoming.filter((flow) => !arrived.includes(flow));
  raiseAtJoin(
    run,
    join,
    {
      errorType: 'GatewayNoMatch',
      errorCode: STARVED,
      message: `Gateway ${node.id} cannot complete: no token can reach ${missing.join(', ') || 'its incoming flows'}, because nothing else is active in ${scope.node}`,
    },
    previous,
  );
}

/**
 * Raises an incident at a gateway with waiting tokens. The gateway has no element instance yet, so the incident belongs
 * to the enclosing scope.
 */
export function raiseAtJoin(
  run: Run,
  { scope, node }: Join,
  { errorType, errorCode, message }: Failure,
  previous?: number,
): void {
  record(run, {
    kind: 'INCIDENT_RAISED',
    incident: nextID(run),
    element: scope.id,
    node: node.id,
    errorType,
    ...(errorCode !== undefined && { errorCode }),
    message,
    ...(previous !== undefined && { previous }),
  });
}
