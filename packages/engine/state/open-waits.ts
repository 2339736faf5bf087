/**
 * The waits of an instance, for people: one entry per event, join, incident, and activity that only something external
 * can continue. A running instance always has at least one.
 */
import type { JobListener } from '../contract/facts.js';
import type { Json } from '../contract/json.js';
import type { Node } from '../model/graph.js';
import type { Model } from '../model/model.js';
import { runsListeners, startedGateways } from './element-data.js';
import {
  ROOT,
  type ElementInstance,
  type ErrorType,
  type Incident,
  type State,
  type Token,
  type Wait,
  type WaitKind,
  type JobWait,
} from './state.js';

interface Place {
  /** Id of the wait, the incident, or the element instance; absent for tokens. */
  id?: number;
  /** Absent before the first step. */
  node?: string;
  /** The element instance that encloses the node. */
  scope?: number;
  /** Epoch milliseconds; absent before the first step. */
  since?: number;
}

/** The own part of each kind of wait of the engine. */
interface OfWait {
  job: { kind: 'job'; listener?: JobListener };
  userTask: { kind: 'userTask' };
  timer: { kind: 'timer'; due: number; repeats?: number };
  child: { kind: 'call'; workflowID: string };
  subscription: { kind: 'message' | 'signal'; name: string; correlation?: Json };
  condition: { kind: 'condition'; expression?: string };
  decision: { kind: 'decision' };
}

export type OpenWait = Place &
  (
    | OfWait[WaitKind]
    /** `begin`: the instance or the node has not begun, because of a pause or because other work comes first. */
    | { kind: 'begin' }
    | { kind: 'join'; missingFlows: string[] }
    | { kind: 'adHoc' }
    | { kind: 'incident'; errorType: ErrorType }
  );

/** Everything that the instance waits for, longest first; empty when it has ended. */
export function openWaits(model: Model, state: State): OpenWait[] {
  if (state.status !== 'RUNNING') return [];
  const found: OpenWait[] = [
    ...Object.values(state.waits).flatMap((wait) => (isAtIncident(wait) ? [] : ofWait(model, state, wait))),
    ...Object.values(state.incidents).map((incident) => ofIncident(model, state, incident)),
    ...joins(model, state),
    ...Object.values(state.elements).flatMap((element) => ofElement(model, state, element)),
    ...state.moving.map((token) => ofMoving(model, token)),
  ];
  if (found.length === 0) return [ofBeginning(state.elements[ROOT])];
  return found.toSorted((a, b) => (a.since ?? 0) - (b.since ?? 0) || (a.id ?? 0) - (b.id ?? 0));
}

function withoutType({ type: _type, ...listener }: NonNullable<JobWait['listener']>): JobListener {
  return listener;
}

const details: { [K in WaitKind]: (wait: Extract<Wait, { kind: K }>, model: Model) => OfWait[K] } = {
  job: ({ listener }) => ({
    kind: 'job',
    ...(listener && { listener: withoutType(listener) }),
  }),
  userTask: () => ({ kind: 'userTask' }),
  timer: ({ due, remaining }) => ({ kind: 'timer', due, ...(remaining !== undefined && { repeats: remaining }) }),
  child: ({ workflowID }) => ({ kind: 'call', workflowID }),
  subscription: ({ type, name, correlation }) => ({
    kind: type,
    name,
    ...(correlation !== undefined && { correlation }),
  }),
  condition: ({ node, trigger }, model) => {
    const expression = conditionText(model.node(node), trigger);
    return { kind: 'condition', ...(expression !== undefined && { expression }) };
  },
  decision: () => ({ kind: 'decision' }),
};

function isAtIncident(wait: Wait): boolean {
  return wait.kind === 'condition' && wait.incident !== undefined;
}

function ofWait(model: Model, state: State, wait: Wait): OpenWait {
  const own = (details[wait.kind] as (wait: Wait, model: Model) => OfWait[WaitKind])(wait, model);
  const element = state.elements[wait.element]!;
  return { ...own, id: wait.id, node: wait.node, scope: scopeOf(model, wait, element), since: wait.at ?? element.at };
}

/** The start event of an event sub-process listens on behalf of the scope around it. */
function scopeOf(model: Model, { node }: Wait, element: ElementInstance): number {
  return model.node(node).kind === 'startEvent' ? element.id : element.scope;
}

function ofIncident(model: Model, state: State, incident: Incident): OpenWait {
  const { id, element, node, errorType, at, condition } = incident;
  const standing = state.elements[element];
  // The incident of a join, and of the instance, belongs to the scope itself.
  const own = standing && element !== ROOT && standing.node === node ? standing.scope : element;
  const scope = standing && condition !== undefined ? scopeOf(model, state.waits[condition]!, standing) : own;
  return { kind: 'incident', id, node, scope, since: at, errorType };
}

/** Gateways with waiting tokens. */
function joins(model: Model, state: State): OpenWait[] {
  const waiting = new Map<string, { node: string; scope: number; tokens: Token[] }>();
  for (const token of state.arrived) {
    const node = model.flow(token.flow).target;
    const key = `${token.scope} ${node}`;
    const join = waiting.get(key) ?? { node, scope: token.scope, tokens: [] };
    join.tokens.push(token);
    waiting.set(key, join);
  }
  return [...waiting.values()].map(({ node, scope, tokens }) => ({
    kind: 'join',
    node,
    scope,
    since: tokens[0]!.at,
    missingFlows: missingFlows(model.node(node), state.elements[scope]!, tokens),
  }));
}

/** A complex gateway that has started no longer waits for the flows whose tokens it took. */
function missingFlows({ id, incoming }: Node, scope: ElementInstance, tokens: readonly Token[]): string[] {
  const served = new Set(tokens.map(({ flow }) => flow));
  for (const { node, flows } of startedGateways(scope.data))
    if (node === id) for (const flow of flows) served.add(flow);
  return incoming.filter((flow) => !served.has(flow));
}

function ofMoving(model: Model, { flow, scope, at }: Token): OpenWait {
  return { kind: 'begin', node: model.flow(flow).target, scope, since: at };
}

/** @param process absent before the first step */
function ofBeginning(process: ElementInstance | undefined): OpenWait {
  return { kind: 'begin', ...(process && { since: process.at }) };
}

function ofElement(model: Model, state: State, element: ElementInstance): OpenWait[] {
  const { id, node, scope } = element;
  const place = { id, node, scope, since: element.at };
  if (element.placed || state.continuing?.includes(id)) return [{ kind: 'begin', ...place }];
  const isOpen = element.data?.['entered'] === true && !runsListeners(element);
  const isIdle = element.inside === 0 && element.incident === undefined && isOpen;
  const its = model.node(node);
  // One with a job waits for that.
  return isIdle && its.kind === 'adHocSubProcess' && !its.job ? [{ kind: 'adHoc', ...place }] : [];
}

function conditionText(node: Node, trigger: number): string | undefined {
  const listened = 'triggers' in node ? node.triggers[trigger] : undefined;
  return listened?.kind === 'conditional' ? listened.text : undefined;
}
