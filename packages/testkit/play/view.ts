/** A play as its page shows it: plain data, bounded, with the variables of one instance. */
import { equalJson, type Variables } from '@perdure/engine/contract/json.js';
import { visitTokens } from '@perdure/engine/state/active-nodes.js';
import { ROOT, type InstanceStatus } from '@perdure/engine/state/state.js';
import type { MemoryInstance } from '../memory-host.js';
import type { Needs } from '../scenario/needs.js';
import type { Play } from '../scenario/play.js';
import { waitsInPlay, type WaitInPlay } from './waits.js';
import type { Watched } from './watched.js';

export interface InstanceInPlay {
  workflowID: string;
  processID: string;
  /** The name of the file with its process. */
  file: string;
  status: InstanceStatus;
  /** The call activity that called it. */
  calledBy?: string;
}

/** An element instance with variables. */
export interface ScopeInPlay {
  id: number;
  node: string;
  variables: Variables;
  /** Names of the variables that the last move set. */
  changed: string[];
  /** Names of the variables that it removed. */
  removed: string[];
}

export interface ShownInstance extends InstanceInPlay {
  failureReason?: string;
  /** Number of tokens by node. */
  tokens: [node: string, count: number][];
  /** Nodes with an open incident, once for each. */
  incidents: string[];
  /** Outermost first. */
  scopes: ScopeInPlay[];
  /** Scopes that are not listed. */
  moreScopes: number;
}

export interface PlayView {
  /** The position, and the last one: positions before the first move and moves. */
  at: number;
  moves: number;
  /** Number of positions before the first move: those of the instance with which the play began. */
  begun: number;
  /** In the middle of a step no move is possible. */
  isInside?: true;
  /** The virtual time in epoch milliseconds. */
  now: number;
  /** When the next timer is due; absent without one. */
  nextDue?: number;
  /** Of the process under test first. */
  instances: InstanceInPlay[];
  moreInstances: number;
  /** Absent before the first instance. */
  shown?: ShownInstance;
  waits: WaitInPlay[];
  moreWaits: number;
  needs: Needs;
}

/** Variables by instance and element instance. Values do not change, so this is a snapshot without copies. */
export type Snapshot = ReadonlyMap<string, Variables>;

export const VIEW_LIMITS = { instances: 100, waits: 200, scopes: 100 } as const;

export function snapshotOf({ instances }: Play): Snapshot {
  return new Map(
    instances.flatMap(({ workflowID, state }) =>
      Object.values(state.elements).flatMap(({ id, variables }) =>
        variables ? [[keyOf(workflowID, id), variables] as const] : [],
      ),
    ),
  );
}

/**
 * @param before variables before the last move
 * @param shownID the instance to show in detail (default: the first)
 */
export function viewOf(
  watched: Watched,
  files: ReadonlyMap<string, string>,
  before: Snapshot,
  shownID?: string,
): Omit<PlayView, 'at' | 'moves' | 'begun' | 'isInside'> {
  const { play, needs } = watched;
  const { instances, host } = play;
  const due = host.nextDue();
  const chosen = instances.find(({ workflowID }) => workflowID === shownID) ?? instances[0];
  const waits = waitsInPlay(watched);
  const listed = (instance: MemoryInstance) => instanceOf(play, instance, files);
  return {
    now: host.now,
    ...(due !== Infinity && { nextDue: due }),
    instances: instances.slice(0, VIEW_LIMITS.instances).map(listed),
    moreInstances: Math.max(0, instances.length - VIEW_LIMITS.instances),
    ...(chosen && { shown: { ...listed(chosen), ...detailsOf(play, chosen, before) } }),
    waits: waits.slice(0, VIEW_LIMITS.waits),
    moreWaits: Math.max(0, waits.length - VIEW_LIMITS.waits),
    needs,
  };
}

function instanceOf(
  play: Play,
  { workflowID, model, state }: MemoryInstance,
  files: ReadonlyMap<string, string>,
): InstanceInPlay {
  const { processID } = model.graph;
  const calledBy = play.callerOf(workflowID);
  return {
    workflowID,
    processID,
    file: files.get(processID) ?? '',
    status: state.status,
    ...(calledBy !== undefined && { calledBy }),
  };
}

function detailsOf(play: Play, instance: MemoryInstance, before: Snapshot): Omit<ShownInstance, keyof InstanceInPlay> {
  const { workflowID, state } = instance;
  const scopes = Object.values(state.elements).flatMap(({ id, node, variables = {} }) => {
    const scope = { id, node, variables, ...changesOf(variables, before.get(keyOf(workflowID, id))) };
    return id === ROOT || Object.keys(variables).length > 0 || scope.removed.length > 0 ? [scope] : [];
  });
  return {
    ...(state.failureReason !== undefined && { failureReason: state.failureReason }),
    tokens: tokensOf(instance),
    incidents: play.host.incidents(instance).map(({ node }) => node),
    scopes: scopes.slice(0, VIEW_LIMITS.scopes),
    moreScopes: Math.max(0, scopes.length - VIEW_LIMITS.scopes),
  };
}

function tokensOf({ model, state }: MemoryInstance): [string, number][] {
  const counts = new Map<string, number>();
  if (state.status === 'RUNNING')
    visitTokens(
      state,
      (flow) => model.flow(flow).target,
      (_scope, node) => counts.set(node, (counts.get(node) ?? 0) + 1),
    );
  return [...counts];
}

function changesOf(variables: Variables, before: Variables = {}): Pick<ScopeInPlay, 'changed' | 'removed'> {
  if (variables === before) return { changed: [], removed: [] };
  const isSame = (name: string) =>
    Object.hasOwn(before, name) && (before[name] === variables[name] || equalJson(before[name]!, variables[name]!));
  return {
    changed: Object.keys(variables).filter((name) => !isSame(name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(variables, name)),
  };
}

function keyOf(workflowID: string, element: number): string {
  return `${workflowID} ${element}`;
}
