/** Commands that are carried out on an instance before its first step, while it waits for a place of its process. */
import { setMember, type Variables } from './contract/json.js';
import type { CommandBody, CommandKind, NodeMapping, StartInput } from './contract/commands.js';
import { recordStart } from './behaviors/lifecycle/instance.js';
import { beginnings } from './behaviors/lifecycle/scopes.js';
import { setVariables } from './handlers/instance.js';
import { rejected, type Verdict } from './handlers/handler.js';
import { Mapping } from './migration/mapping.js';
import type { Graph, Node } from './model/graph.js';
import { modelOf, type Model } from './model/model.js';
import { newRun } from './new-run.js';
import { issuesOfStart } from './start-issues.js';
import { newState } from './state/state.js';

type CommandOf<Kind extends CommandKind> = Extract<CommandBody, { kind: Kind }>;

/** How the instance starts after the command; or why it is rejected. */
export type Changed = { start: StartInput } | { rejected: Verdict };

/** Variables of the event that starts it are changed too, if the command names them: they would replace those that it sets. */
export function setQueuedVariables(graph: Graph, start: StartInput, command: CommandOf<'SET_VARIABLES'>): Changed {
  const run = newRun(modelOf(graph), newState('queued'), 0);
  const root = recordStart(run, start);
  const verdict = setVariables(run, { ...command, number: 1 });
  if (verdict.status === 'REJECTED') return { rejected: verdict };
  const { payload } = start;
  return {
    start: {
      ...start,
      variables: run.state.elements[root.id]!.variables ?? {},
      ...(payload && { payload: replaced(payload, command.variables) }),
    },
  };
}

function replaced(payload: Variables, given: Variables): Variables {
  const changed: Variables = {};
  for (const [name, value] of Object.entries(payload)) {
    const next = Object.hasOwn(given, name) ? given[name]! : value;
    if (next !== null || value === null) setMember(changed, name, next);
  }
  return changed;
}

/**
 * Migrates the start.
 * @param now epoch milliseconds
 */
export function migrateQueued(
  source: Graph,
  target: Graph,
  start: StartInput,
  { mappings, variables }: Pick<CommandOf<'MIGRATE'>, 'mappings' | 'variables'>,
  now: number,
): Changed {
  const mapping = new Mapping(modelOf(source), modelOf(target), mappings);
  const moved = movedStart(mapping, start);
  const set = variables && setQueuedVariables(target, moved, { kind: 'SET_VARIABLES', variables });
  if (set && 'rejected' in set) return set;
  const { start: changed } = set ?? { start: moved };
  const issues = mapping.issues.length > 0 ? mapping.issues : issuesOf(mapping.target, changed, now);
  if (issues.length > 0) return { rejected: { ...rejected('BAD_REQUEST', issues.join('; ')), issues } };
  return { start: changed };
}

/** Reports nodes without a counterpart to the mapping. */
function movedStart(mapping: Mapping, start: StartInput): StartInput {
  const { startNode, startAt } = start;
  const to = startNode === undefined ? undefined : mapping.need(startNode, 'the instance starts at');
  if (to !== undefined && !hasSameTriggers(mapping.source.node(startNode!), to))
    mapping.refuse(`the instance starts at ${startNode}, but ${to.id} in the target version has other triggers`);
  return {
    ...start,
    ...(to !== undefined && { startNode: to.id }),
    ...(startAt && { startAt: startAt.map((place) => ({ ...place, nodeID: mapping.targetOf(place.nodeID) })) }),
  };
}

function hasSameTriggers(from: Node, to: Node): boolean {
  const kinds = (node: Node) => ('triggers' in node ? node.triggers.map(({ kind }) => kind).join() : '');
  return kinds(from) === kinds(to);
}

function issuesOf(target: Model, start: StartInput, now: number): string[] {
  if (start.startAt) return issuesOfStart(target, start, now);
  if (start.startNode !== undefined || beginnings(target, target.root).length > 0) return [];
  return ['the target version has no none start event, so only its events can start it'];
}

/** Every reason why a queued instance cannot be migrated. */
export function queuedMigrationIssues(
  source: Graph,
  target: Graph,
  start: StartInput,
  migration: { mappings: NodeMapping[]; variables?: Variables },
  now: number,
): string[] {
  const migrated = migrateQueued(source, target, start, migration, now);
  return 'rejected' in migrated ? (migrated.rejected.issues ?? [migrated.rejected.message!]) : [];
}
