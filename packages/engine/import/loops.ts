/** Multi-instance activities and standard loops of which some instances are over and others are open. */
import { innerVariables, plan } from '../behaviors/flow/loops.js';
import { enterNode } from '../behaviors/lifecycle/activation.js';
import { skipStart } from '../behaviors/listeners/progress.js';
import type { ImportedInstance, ImportedListener, ImportedLoop } from '../contract/imported.js';
import type { FactOf } from '../contract/facts.js';
import type { Variables } from '../contract/json.js';
import type { ActivityNode, Loop } from '../model/graph.js';
import { record } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import { PROCESS, refuse, report, type At, type Draft } from './draft.js';
import { openBoundary } from './listeners.js';

/** The open instances of one activity in one scope. */
export interface LoopGroup {
  members: { at: At; loop: ImportedLoop; listening: ImportedListener[] | undefined }[];
  /** The element instance that contains them, once it is entered; null if it cannot be. */
  body?: ElementInstance | null;
}

export function loopGroups({ scopes = [], tokens }: ImportedInstance): Map<string, LoopGroup> {
  const groups = new Map<string, LoopGroup>();
  const add = (key: string, at: At, loop: ImportedLoop | undefined, listening: ImportedListener[] | undefined) => {
    if (!loop) return;
    const group = groups.get(key) ?? { members: [] };
    groups.set(key, group);
    group.members.push({ at, loop, listening });
  };
  for (const [index, { parent, nodeID, multiInstance, listening }] of scopes.entries())
    add(groupKey(parent, nodeID), { path: `scopes[${index}]`, nodeID }, multiInstance, listening);
  for (const [tokenIndex, { scopeKey, nodeID, multiInstance, listening }] of tokens.entries())
    add(groupKey(scopeKey, nodeID), { path: `tokens[${tokenIndex}]`, tokenIndex, nodeID }, multiInstance, listening);
  return groups;
}

function groupKey(scope: string = PROCESS, nodeID: string): string {
  return JSON.stringify([scope, nodeID]);
}

/**
 * Enters an activity, in the body of its loop if it has one.
 * @returns undefined, with an issue, if it cannot be entered
 */
export function enterActivity(
  draft: Draft,
  node: ActivityNode,
  container: ElementInstance,
  scopeKey: string | undefined,
  given: { multiInstance?: ImportedLoop | undefined; variables?: Variables | undefined },
  at: At,
): ElementInstance | undefined {
  const { run } = draft;
  const { multiInstance, variables = {} } = given;
  if (!node.loop) {
    if (multiInstance) return refuse(draft, at, `${node.id} is neither multi-instance nor a loop`, '.multiInstance');
    const element = enterNode(run, node.id, container);
    setVariables(draft, element, variables);
    return element;
  }
  if (!multiInstance)
    return refuse(draft, at, `${node.id} is a loop: say which of its instances is open`, '.multiInstance');
  const group = draft.loops.get(groupKey(scopeKey, node.id))!;
  if (group.body === undefined) group.body = enterBody(draft, node, node.loop, container, group) ?? null;
  if (!group.body) return undefined;
  const { index } = multiInstance;
  const element = enterNode(run, node.id, group.body, { loopCounter: index + 1 });
  const own =
    node.loop.kind === 'standard'
      ? { loopCounter: index + 1 }
      : innerVariables(run, group.body.loop!, node.loop, index);
  setVariables(draft, element, { ...own, ...variables });
  return element;
}

/** The listeners of its start have run in the other system. */
function setVariables({ run }: Draft, element: ElementInstance, variables: Variables): void {
  const node = run.model.node(element.node);
  skipStart(run, element, node);
  const isMapped = 'inputs' in node && node.inputs !== undefined;
  if (Object.keys(variables).length === 0 && !isMapped) return;
  // With this role the input mappings are not evaluated again.
  record(run, {
    kind: 'VARIABLES_SET',
    scope: element.id,
    variables,
    ...(isMapped && { role: 'INPUT' as const, by: element.id }),
  });
}

function enterBody(
  draft: Draft,
  node: ActivityNode,
  loop: Loop,
  container: ElementInstance,
  group: LoopGroup,
): ElementInstance | undefined {
  const { run } = draft;
  const body = enterNode(run, node.id, container);
  const started = loop.kind === 'standard' ? startedStandard(draft, group) : startedMany(draft, body, loop, group);
  if (!started) return undefined;
  record(run, { kind: 'LOOP_STARTED', element: body.id, ...started });
  const { at, listening } = group.members.find((member) => member.listening) ?? group.members[0]!;
  draft.later.push(() => openBoundary(draft, body, node, listening, at));
  return body;
}

type Started = Omit<FactOf<'LOOP_STARTED'>, 'kind' | 'element'>;

/** One after the other. */
function startedStandard(draft: Draft, { members }: LoopGroup): Started | undefined {
  const [{ at, loop }, second] = members as [LoopGroup['members'][number], LoopGroup['members'][number]?];
  if (second) return refuse(draft, second.at, ONE_AT_A_TIME, '.multiInstance');
  if (loop.items ?? loop.outputs)
    return refuse(draft, at, 'a standard loop has neither items nor outputs', '.multiInstance');
  if (loop.completed > loop.index)
    return refuse(draft, at, moreThan('completed', loop.completed, loop.index), '.multiInstance.completed');
  return { resumed: { started: loop.index + 1, completed: loop.completed } };
}

const ONE_AT_A_TIME = 'the instances of this activity run one after the other, and another one is open';

function startedMany(
  draft: Draft,
  body: ElementInstance,
  loop: Extract<Loop, { kind: 'multiInstance' }>,
  group: LoopGroup,
): Started | undefined {
  const { members } = group;
  const { at, loop: first } = members[0]!;
  const before = draft.issues.length;
  checkMembers(draft, loop.sequential, group);
  const started = Math.max(...members.map((member) => member.loop.index + 1), first.completed + members.length);
  const items = first.items
    ? { total: first.items.length, items: first.items }
    : loop.sequential
      ? planned(draft, body, loop, at)
      : { total: started };
  if (!items || draft.issues.length > before) return undefined;
  const begun = loop.sequential ? first.index + 1 : started;
  if (items.total < started)
    return refuse(draft, at, `${started} instances have started, but there are ${items.total} items`, '.multiInstance');
  const outputs = first.outputs ?? [];
  if (outputs.length > items.total)
    return refuse(draft, at, moreThan('outputs', outputs.length, items.total), '.multiInstance.outputs');
  return {
    ...items,
    ...(loop.outputCollection !== undefined && { output: loop.outputCollection }),
    resumed: { started: begun, completed: first.completed, ...(outputs.length > 0 && { outputs }) },
  };
}

function planned(
  draft: Draft,
  body: ElementInstance,
  loop: Extract<Loop, { kind: 'multiInstance' }>,
  at: At,
): (Pick<Started, 'items' | 'source'> & { total: number }) | undefined {
  const found = plan(draft.run, body, loop);
  return found.ok
    ? found.value
    : refuse(draft, at, `needs its items: ${found.failure.message}`, '.multiInstance.items');
}

function checkMembers(draft: Draft, sequential: boolean, { members }: LoopGroup): void {
  const seen = new Set<number>();
  const [first] = members;
  for (const [position, { at, loop }] of members.entries()) {
    if (sequential && position > 0) report(draft, at, ONE_AT_A_TIME, '.multiInstance');
    if (seen.has(loop.index))
      report(draft, at, `the instance at index ${loop.index} is given twice`, '.multiInstance.index');
    seen.add(loop.index);
    if (loop.completed !== first!.loop.completed)
      report(
        draft,
        at,
        `${loop.completed} instances have completed here, but ${first!.loop.completed} at ${first!.at.path}`,
        '.multiInstance.completed',
      );
    if (position > 0 && loop.items)
      report(draft, at, `the items are given at ${first!.at.path}`, '.multiInstance.items');
    if (position > 0 && loop.outputs)
      report(draft, at, `the outputs are given at ${first!.at.path}`, '.multiInstance.outputs');
    if (sequential && loop.completed > loop.index)
      report(draft, at, moreThan('completed', loop.completed, loop.index), '.multiInstance.completed');
  }
}

function moreThan(member: string, given: number, most: number): string {
  return `${member} is ${given}, but at most ${most} are possible here`;
}
