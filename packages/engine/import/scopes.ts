/** The scopes in which tokens are, outermost first. */
import { interrupts } from '../behaviors/waiting/event-sub-processes.js';
import { continueDriven, isDriven } from '../behaviors/flow/driven-ad-hoc.js';
import { enterNode } from '../behaviors/lifecycle/activation.js';
import { skipStart } from '../behaviors/listeners/progress.js';
import { whyOnlyCompensated } from '../behaviors/lifecycle/placement.js';
import type { ImportedInstance, ImportedScope } from '../contract/imported.js';
import type { StartEventNode } from '../elements/start-event.js';
import type { ActivityNode, Node } from '../model/graph.js';
import { isKind, type Model } from '../model/model.js';
import { behaviorOf } from '../registry.js';
import { nodeOf, record } from '../run.js';
import type { ElementInstance } from '../state/state.js';
import { containerOf, PROCESS, report, type At, type Draft } from './draft.js';
import { checkListeners, openBoundary, openEventSubProcesses } from './listeners.js';
import { enterActivity } from './loops.js';

const SCOPES: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'subProcess',
  'transaction',
  'eventSubProcess',
  'adHocSubProcess',
]);

/** The event sub-processes that have interrupted a scope, by the key of the scope. */
export function interruptions(model: Model, { scopes = [] }: ImportedInstance): Map<string, string> {
  const found = new Map<string, string>();
  for (const { nodeID, parent = PROCESS } of scopes) {
    const node = model.find(nodeID);
    if (node && isKind(node, 'eventSubProcess') && interrupts(model.node(node.start) as StartEventNode))
      found.set(parent, nodeID);
  }
  return found;
}

/** Enters all scopes that fit. */
export function enterScopes(draft: Draft): void {
  const { scopes = [] } = draft.given;
  const byKey = new Map<string, number>();
  for (const [index, { key, nodeID }] of scopes.entries()) {
    if (key === PROCESS || byKey.has(key))
      report(
        draft,
        { path: `scopes[${index}]`, nodeID },
        `the key ${JSON.stringify(key)} is ${key === PROCESS ? 'empty' : 'given twice'}`,
        '.key',
      );
    else byKey.set(key, index);
  }
  const entered = new Set<number>();
  for (const first of byKey.values())
    for (const index of outwardFrom(scopes, byKey, entered, first).reverse()) {
      entered.add(index);
      enterScope(draft, scopes[index]!, { path: `scopes[${index}]`, nodeID: scopes[index]!.nodeID });
    }
}

/** A scope and the ones around it that have not been entered. A circle ends where it closes. */
function outwardFrom(
  scopes: readonly ImportedScope[],
  byKey: ReadonlyMap<string, number>,
  entered: ReadonlySet<number>,
  first: number,
): number[] {
  const chain = new Set<number>();
  for (let index: number | undefined = first; index !== undefined && !entered.has(index) && !chain.has(index);) {
    chain.add(index);
    const { parent = PROCESS } = scopes[index]!;
    index = byKey.get(parent);
  }
  return [...chain];
}

function enterScope(draft: Draft, given: ImportedScope, at: At): void {
  const { run } = draft;
  const { key, parent = PROCESS, nodeID, listening } = given;
  const node = run.model.find(nodeID);
  if (!node) return report(draft, at, `the process has no node ${nodeID}`, '.nodeID');
  if (!SCOPES.has(node.kind))
    return report(draft, at, `${nodeID} is not a sub-process, event sub-process, or ad-hoc sub-process`, '.nodeID');
  const compensated = whyOnlyCompensated(run, node);
  if (compensated !== undefined) return report(draft, at, compensated, '.nodeID');
  if (parent !== PROCESS && isAround(draft, parent, key))
    return report(draft, at, 'the scopes are around each other in a circle', '.parent');
  const container = containerOf(draft, node, parent, at, '.parent');
  const element = container && enterOne(draft, node, container, given, at);
  if (!element) return;
  draft.scopes.set(key, element);
  checkListeners(draft, node, element, listening, at);
  draft.later.push(() => {
    if (element.loopCounter === undefined) openBoundary(draft, element, node, listening, at);
    openEventSubProcesses(draft, element, key, listening, at);
    if (draft.interrupted.has(key)) behaviorOf(run, node).interrupted?.(run, element, node);
    finishOpening(draft, element, at);
  });
}

/** Whether the scope `outer` is inside the scope `inner`, as they are given. */
function isAround({ given: { scopes = [] } }: Draft, outer: string, inner: string): boolean {
  const seen = new Set<string>();
  for (let key: string | undefined = outer; key !== undefined && !seen.has(key);) {
    if (key === inner) return true;
    seen.add(key);
    const current: string = key;
    key = scopes.find((scope) => scope.key === current)?.parent;
  }
  return false;
}

function enterOne(
  draft: Draft,
  node: Node,
  container: ElementInstance,
  given: ImportedScope,
  at: At,
): ElementInstance | undefined {
  const { run } = draft;
  if (isKind(node, 'eventSubProcess')) {
    if (given.multiInstance) report(draft, at, `${node.id} is neither multi-instance nor a loop`, '.multiInstance');
    const element = enterNode(run, node.id, container);
    skipStart(run, element, node);
    const { variables = {} } = given;
    if (Object.keys(variables).length > 0) record(run, { kind: 'VARIABLES_SET', scope: element.id, variables });
    return element;
  }
  const element = enterActivity(draft, node as ActivityNode, container, given.parent, given, at);
  if (element) behaviorOf(run, node).openedEmpty?.(run, element, node);
  return element;
}

/** An ad-hoc sub-process waits with nothing inside; any other scope would never end. */
function finishOpening(draft: Draft, element: ElementInstance, at: At): void {
  const node = nodeOf(draft.run, element);
  if (element.inside > 0) return;
  if (!isKind(node, 'adHocSubProcess')) return report(draft, at, 'no token is inside this scope');
  if (isDriven(node)) continueDriven(draft.run, element, node);
}
