/** An import in progress: the state so far, and the reasons against it. */
import type { ImportedInstance, ImportIssue } from '../contract/imported.js';
import type { Node } from '../model/graph.js';
import { isKind } from '../model/model.js';
import { behaviorOf } from '../registry.js';
import { nodeOf, type Run } from '../run.js';
import { parseInstant } from '../time/iso8601.js';
import { ROOT, type ElementInstance } from '../state/state.js';
import { enterNode } from '../behaviors/lifecycle/activation.js';
import { busyAround } from '../behaviors/lifecycle/placement.js';
import type { LoopGroup } from './loops.js';

export interface Draft {
  /** Its facts are what the import consists of. */
  readonly run: Run;
  readonly given: ImportedInstance;
  readonly issues: ImportIssue[];
  readonly scopes: Map<string, ElementInstance>;
  /** Open instances of loops, by the scope and the node of their activity. */
  readonly loops: ReadonlyMap<string, LoopGroup>;
  /** The event sub-process that has interrupted a scope, by the key of the scope. */
  readonly interrupted: ReadonlyMap<string, string>;
  /** Processes of the called instances, by the index of their token. */
  readonly called: ReadonlyMap<number, string>;
  readonly arrived: { flow: string; scope: number }[];
  /** Opens what waits, once all variables are set. */
  readonly later: (() => void)[];
}

/** The place of a value in what was given. */
export interface At {
  path: string;
  tokenIndex?: number;
  nodeID?: string;
}

/** The key of the process, which has none. */
export const PROCESS = '';

export function report({ issues }: Draft, at: At, message: string, member = ''): void {
  issues.push({ ...at, path: `${at.path}${member}`, message });
}

/** The element instance in which `node` is entered; undefined, with an issue, if it cannot be there. */
export function containerOf(
  draft: Draft,
  node: Node,
  key: string,
  at: At,
  member: string,
): ElementInstance | undefined {
  const { run } = draft;
  const scope = key === PROCESS ? run.state.elements[ROOT]! : draft.scopes.get(key);
  // The scope has its own issue.
  if (!scope && draft.given.scopes?.some((given) => given.key === key)) return undefined;
  if (!scope) return refuse(draft, at, `no scope has the key ${JSON.stringify(key)}`, member);
  const by = draft.interrupted.get(key);
  if (by !== undefined && by !== node.id)
    return refuse(
      draft,
      at,
      `event sub-process ${by} has interrupted this scope, so nothing else is active in it`,
      member,
    );
  const around = directlyAround(draft, node, scope);
  if (!around)
    return refuse(
      draft,
      at,
      `${node.id} is not directly inside ${scope.node}, but inside ${node.parent}: name its scope`,
      member,
    );
  const busy = busyAround(run, around);
  if (busy !== undefined)
    return refuse(draft, at, `ad-hoc sub-process ${busy} is sequential, and something inside it is active`, member);
  return around;
}

/** In an ad-hoc sub-process that a job worker drives, each token has a separate flow. */
function directlyAround({ run }: Draft, node: Node, scope: ElementInstance): ElementInstance | undefined {
  if (node.parent === scope.node) return scope;
  const around = node.parent === undefined ? undefined : run.model.node(node.parent);
  if (!around || !isKind(around, 'adHocFlow') || around.parent !== scope.node) return undefined;
  const flow = enterNode(run, around.id, scope);
  behaviorOf(run, around).openedEmpty?.(run, flow, nodeOf(run, flow));
  return flow;
}

export function refuse(draft: Draft, at: At, message: string, member = ''): undefined {
  report(draft, at, message, member);
  return undefined;
}

/** Epoch milliseconds; undefined, with an issue, if the text is not an instant. */
export function instantAt(draft: Draft, text: string | undefined, at: At, member: string): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant === undefined)
    report(draft, at, `must be an ISO 8601 date and time with a zone, but is ${JSON.stringify(text)}`, member);
  return instant;
}
