/**
 * Placing a token before a node from outside. Enclosing scopes that are not active are started, outermost first: their
 * input mappings are evaluated, their boundary events and event sub-processes listen, and the node is entered instead
 * of their start event. A placed element starts by its continuation, so nothing moves while tokens are being placed.
 */
import type { Node, ScopeBase } from '../../model/graph.js';
import type { Variables } from '../../contract/json.js';
import { isKind } from '../../model/model.js';
import { behaviorOf } from '../../registry.js';
import { nodeOf, scopeOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { enterNode, isLoopBody, prepare } from './activation.js';
import { roomAt } from './capacity.js';
import { isCompensationSubProcess } from '../compensation/compensation-records.js';
import { skipStart, whyClosed } from '../listeners/progress.js';
import { openScope } from './scopes.js';
import { setLocal, variableScopeOf } from '../data/variables.js';

/** A reason against the placement, or an element instance. */
type Found = { problem: string } | ElementInstance;

/**
 * Places a token before `nodeID`.
 * @param scope the element instance that contains the node, or one further out; scopes in between are then started
 * @returns the reason against it; undefined if the token was placed
 */
export function placeBefore(run: Run, nodeID: string, scope?: number, variables?: Variables): string | undefined {
  const node = run.model.find(nodeID);
  if (!node) return `the process has no node ${nodeID}`;
  const unreachable = whyNotPlaceable(run, node);
  if (unreachable !== undefined) return unreachable;
  const around = scope === undefined ? scopeFor(run, node) : scopeGiven(run, node, scope);
  if ('problem' in around) return around.problem;
  const busy = busyAround(run, around);
  if (busy !== undefined) return `ad-hoc sub-process ${busy} is sequential, and something inside it is active`;
  behaviorOf(run, node).placedBefore?.(run, node, around);
  const element = enterNode(run, nodeID, around, { placed: true });
  if (!variables) return undefined;
  const room = roomAt(run, variableScopeOf(run, element), variables);
  if (!room.ok) return room.failure.message;
  setLocal(run, variableScopeOf(run, element), variables);
  return undefined;
}

/** The id of a sequential ad-hoc sub-process around `scope` in which something else is active. */
export function busyAround(run: Run, scope: ElementInstance): string | undefined {
  const isFlow = isKind(nodeOf(run, scope), 'adHocFlow') && scope.inside === 0;
  const adHoc = isFlow ? scopeOf(run, scope)! : scope;
  const node = nodeOf(run, adHoc);
  if (!isKind(node, 'adHocSubProcess') || !node.sequential) return undefined;
  return adHoc.inside > (isFlow ? 1 : 0) ? node.id : undefined;
}

export function whyNotPlaceable(run: Run, node: Node): string | undefined {
  if (node.kind === 'adHocFlow') return 'an activation starts with the element inside; start before that instead';
  if (node.kind === 'userTask' && node.approves !== undefined)
    return `${node.id} decides about a call that the agent has made; start before ${node.approves} to run the tool`;
  if (node.kind === 'process') return 'the process itself cannot be started again in the same instance';
  if (node.kind === 'boundaryEvent')
    return `boundary event ${node.id} can only occur at its activity ${node.attachedTo}`;
  if (node.kind === 'startEvent' && run.model.node(node.parent!).kind === 'eventSubProcess')
    return `start event ${node.id} belongs to an event sub-process; start before ${node.parent} instead`;
  return whyOnlyCompensated(run, node);
}

export function whyOnlyCompensated(run: Run, node: Node): string | undefined {
  const reachable = !('forCompensation' in node && node.forCompensation) && !isCompensationSubProcess(run, node.id);
  return reachable ? undefined : `${node.id} can only be reached by compensation`;
}

/** The one active scope of the node. If none is active, starts it and its enclosing scopes. */
function scopeFor(run: Run, node: Node): Found {
  const scopeNode = run.model.node(node.parent!);
  // Every activation in an ad-hoc sub-process is a new one.
  const active = isKind(scopeNode, 'adHocFlow') ? [] : activeScopes(run, scopeNode);
  if (active.length > 1)
    return {
      problem: `${scopeNode.id} (the scope of ${node.id}) is active ${active.length} times; select one by scopeID: ${active.map(({ id }) => id).join(', ')}`,
    };
  const [only] = active;
  if (only) return whyNotInside(only) ?? only;
  const around = scopeFor(run, scopeNode);
  return 'problem' in around ? around : openEmpty(run, scopeNode, around);
}

function whyNotInside(scope: ElementInstance): { problem: string } | undefined {
  const problem = scope.compensation ? `${scope.node} is being compensated` : whyClosed(scope);
  return problem === undefined ? undefined : { problem };
}

/** Element instances of a scope node that directly contain its nodes; the body of a loop does not. */
function activeScopes(run: Run, scopeNode: Node): ElementInstance[] {
  return Object.values(run.state.elements).filter(
    (element) => element.node === scopeNode.id && !isLoopBody(scopeNode, element),
  );
}

/** The scope itself, or the newly started scopes between it and the node. */
function scopeGiven(run: Run, node: Node, id: number): Found {
  const given = run.state.elements[id];
  if (!given) return { problem: `no scope ${id} is active` };
  const between: Node[] = [];
  let around: Node | undefined = run.model.node(node.parent!);
  for (
    ;
    around && around.id !== given.node;
    around = around.parent === undefined ? undefined : run.model.node(around.parent)
  )
    between.unshift(around);
  if (!around) return { problem: `scope ${id} is an instance of ${given.node}, which does not contain ${node.id}` };
  if (isLoopBody(around, given))
    return { problem: `scope ${id} is the loop body of ${given.node}; give one of its inner instances as scopeID` };
  const closed = whyNotInside(given);
  if (closed) return closed;
  let scope: Found = given;
  for (const scopeNode of between) {
    scope = openEmpty(run, scopeNode, scope);
    if ('problem' in scope) return scope;
  }
  return scope;
}

function openEmpty(run: Run, scopeNode: Node, around: ElementInstance): Found {
  if ('loop' in scopeNode && scopeNode.loop)
    return {
      problem: `no instance of ${scopeNode.id} is active, and it is a loop; start before ${scopeNode.id} itself`,
    };
  const unreachable = whyOnlyCompensated(run, scopeNode);
  if (unreachable !== undefined) return { problem: unreachable };
  const element = enterNode(run, scopeNode.id, around);
  const prepared = prepare(run, element, scopeNode);
  if (!prepared.ok) return { problem: `${scopeNode.id} cannot be started: ${prepared.failure.message}` };
  skipStart(run, element, scopeNode);
  const opened = openScope(run, element, scopeNode as Node & ScopeBase);
  if (!opened.ok) return { problem: `${scopeNode.id} cannot be started: ${opened.failure.message}` };
  behaviorOf(run, scopeNode).openedEmpty?.(run, element, scopeNode);
  return element;
}
