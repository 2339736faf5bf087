/** A running instance in the form in which another system would hand it over. */
import type {
  ImportedListener,
  ImportedLoop,
  ImportedScope,
  ImportedToken,
} from '@perdure/engine/contract/imported.js';
import { isLoopBody } from '@perdure/engine/behaviors/lifecycle/activation.js';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { isMoving } from '@perdure/engine/behaviors/flow/tokens.js';
import { loopItems } from '@perdure/engine/state/loop-items.js';
import { ROOT, type ElementInstance, type TimerWait, type Wait } from '@perdure/engine/state/state.js';
import type { GivenInstance } from '../../../packages/testkit/memory/imports.js';
import type { MemoryHost, MemoryInstance } from '../../../packages/testkit/memory-host.js';

const SCOPES = ['subProcess', 'transaction', 'eventSubProcess', 'adHocSubProcess'];

/** @returns undefined if the form cannot say all of it, such as what has completed and can be compensated */
export function exported(host: MemoryHost, instance: MemoryInstance): GivenInstance | undefined {
  const { state, model, workflowID } = instance;
  if (state.status !== 'RUNNING' || isMoving(state) || state.unbroken || isHalted(state)) return undefined;
  const elements = Object.values(state.elements).filter(({ id }) => id !== ROOT);
  if (!isSayable(instance, elements)) return undefined;
  const places = elements.filter((element) => !isBody(instance, element) && kindOf(instance, element) !== 'adHocFlow');
  const isScope = (element: ElementInstance) =>
    SCOPES.includes(kindOf(instance, element)) &&
    (element.inside > 0 || kindOf(instance, element) !== 'adHocSubProcess');
  const scopes = places.filter(isScope).map((element) => scopeOf(instance, element));
  const called: NonNullable<GivenInstance['called']> = [];
  const tokens: ImportedToken[] = [];
  for (const element of places.filter((each) => !isScope(each))) {
    tokens.push(tokenOf(instance, element));
    const child = waitsOf(instance, element).find(({ kind }) => kind === 'child');
    if (child?.kind !== 'child') continue;
    const below = host.instances.get(child.workflowID);
    const given = below && exported(host, below);
    if (!given) return undefined;
    called.push({ tokenIndex: tokens.length - 1, instance: given });
  }
  tokens.push(...joinsOf(instance));
  if (tokens.length === 0) return undefined;
  return {
    source: { system: 'twin', id: workflowID },
    processId: model.graph.processID,
    variables: state.elements[ROOT]!.variables ?? {},
    ...(scopes.length > 0 && { scopes }),
    tokens,
    ...(called.length > 0 && { called }),
  };
}

function isSayable(instance: MemoryInstance, elements: readonly ElementInstance[]): boolean {
  const { state } = instance;
  const all = [state.elements[ROOT]!, ...elements];
  return (
    all.every(
      ({ compensable, compensation, compensates, data = {} }) =>
        !compensable &&
        !compensation &&
        compensates === undefined &&
        Object.keys(data).every((key) => !/^(gathered|reset):|caught|toReconsider|ended|fulfilled/.test(key)) &&
        data['interrupted'] !== true &&
        ((data['wanted'] as string[] | undefined) ?? []).length <= Number(data['begun'] ?? 0),
    ) &&
    Object.values(state.waits).every((wait) => wait.kind !== 'condition' || !wait.holds) &&
    Object.values(state.incidents).every(({ element, node }) => {
      const standing = state.elements[element]!;
      return standing.node === node && standing.inside === 0 && element !== ROOT && !isBody(instance, standing);
    }) &&
    elements.every((element) => isLoopSayable(instance, elements, element)) &&
    hasOnlySingleTimers(instance) &&
    isRootListening(instance)
  );
}

/** Instances of a loop that were canceled are not in the form. */
function isLoopSayable(instance: MemoryInstance, elements: readonly ElementInstance[], body: ElementInstance): boolean {
  const { loop } = body;
  if (!isBody(instance, body) || !loop) return !isBody(instance, body);
  const open = elements.filter(({ scope }) => scope === body.id);
  const last = Math.max(0, ...open.map(({ loopCounter = 0 }) => loopCounter));
  const isSequential = isSequentialLoop(instance, body);
  return open.length > 0 && loop.started === (isSequential ? last : Math.max(last, loop.completed + open.length));
}

function isSequentialLoop({ model }: MemoryInstance, { node }: ElementInstance): boolean {
  const its = model.node(node);
  const loop = 'loop' in its ? its.loop : undefined;
  return loop?.kind === 'standard' || loop?.sequential === true;
}

/** A token has one due time, also at a gateway before several timers. */
function hasOnlySingleTimers(instance: MemoryInstance): boolean {
  const timers = Object.values(instance.state.waits).filter(({ kind }) => kind === 'timer');
  const places = timers.map(({ element, node }) => `${element} ${isListener(instance, node) ? node : ''}`);
  return new Set(places).size === places.length;
}

/** The event sub-processes of the process listen afresh, unless one has interrupted it. */
function isRootListening({ state, model }: MemoryInstance): boolean {
  const waits = Object.values(state.waits).filter(({ element }) => element === ROOT);
  const inside = model.inside(model.root.id).filter(({ kind }) => kind === 'eventSubProcess');
  const isInterrupted = Object.values(state.elements).some(({ node }) => inside.some(({ id }) => id === node));
  return (
    isInterrupted || inside.length === 0 || (waits.length > 0 && waits.every(({ kind }) => kind === 'subscription'))
  );
}

function kindOf({ model }: MemoryInstance, { node }: ElementInstance): string {
  return model.node(node).kind;
}

function isBody({ model }: MemoryInstance, element: ElementInstance): boolean {
  return isLoopBody(model.node(element.node), element);
}

function waitsOf({ state }: MemoryInstance, { id }: ElementInstance): Wait[] {
  return Object.values(state.waits).filter(({ element }) => element === id);
}

/** The key of the scope around it, without bodies of loops. */
function scopeKeyOf(instance: MemoryInstance, { scope }: ElementInstance): string | undefined {
  if (scope === ROOT) return undefined;
  const around = instance.state.elements[scope]!;
  const isPassed = isBody(instance, around) || kindOf(instance, around) === 'adHocFlow';
  return isPassed ? scopeKeyOf(instance, around) : `s${scope}`;
}

function scopeOf(instance: MemoryInstance, element: ElementInstance): ImportedScope {
  const parent = scopeKeyOf(instance, element);
  return {
    key: `s${element.id}`,
    ...(parent !== undefined && { parent }),
    nodeID: element.node,
    ...localsOf(instance, element),
    listening: listeningOf(instance, element),
  };
}

function tokenOf(instance: MemoryInstance, element: ElementInstance): ImportedToken {
  const scopeKey = scopeKeyOf(instance, element);
  const incident = element.incident === undefined ? undefined : instance.state.incidents[element.incident]!;
  const own = waitsOf(instance, element).filter(({ node }) => !isListener(instance, node));
  const timers = own.filter((wait): wait is TimerWait => wait.kind === 'timer');
  return {
    nodeID: element.node,
    ...(scopeKey !== undefined && { scopeKey }),
    ...localsOf(instance, element),
    listening: listeningOf(instance, element),
    ...(timers.length === 1 && !incident && { dueAt: instant(timers[0]!.due) }),
    ...(incident && { incident: { type: incident.errorType, message: incident.message } }),
  };
}

function localsOf(
  instance: MemoryInstance,
  element: ElementInstance,
): { variables?: ImportedToken['variables']; multiInstance?: ImportedLoop } {
  const { variables, scope, loopCounter } = element;
  const body = instance.state.elements[scope]!;
  return {
    ...(variables && { variables }),
    ...(loopCounter !== undefined && body.loop && { multiInstance: loopOf(instance, element, body) }),
  };
}

function loopOf({ state, ...instance }: MemoryInstance, element: ElementInstance, body: ElementInstance): ImportedLoop {
  const { completed, source, items, output, total } = body.loop!;
  const first = Object.values(state.elements).find(({ scope }) => scope === body.id);
  const all = source
    ? loopItems(state, source)
    : (items ?? (total === undefined ? undefined : Array(total).fill(null)));
  void instance;
  return {
    index: element.loopCounter! - 1,
    completed,
    ...(first === element && all && { items: [...all] }),
    ...(first === element && output && { outputs: output.values }),
  };
}

function isListener({ model }: MemoryInstance, node: string): boolean {
  const { kind } = model.node(node);
  return kind === 'boundaryEvent' || kind === 'startEvent';
}

/** Boundary events are those of the body of a loop. */
function listeningOf(instance: MemoryInstance, element: ElementInstance): ImportedListener[] {
  const hosts = [element, ...(element.loopCounter === undefined ? [] : [instance.state.elements[element.scope]!])];
  const waits = hosts.flatMap((host) => waitsOf(instance, host)).filter(({ node }) => isListener(instance, node));
  return [...new Set(waits.map(({ node }) => node))].map((nodeID) => {
    const timer = waits.find((wait): wait is TimerWait => wait.kind === 'timer' && wait.node === nodeID);
    return {
      nodeID,
      ...(timer && { dueAt: instant(timer.due) }),
      ...(timer?.remaining !== undefined && { repeats: timer.remaining }),
    };
  });
}

function joinsOf(instance: MemoryInstance): ImportedToken[] {
  const { state, model } = instance;
  const joins = new Map<string, ImportedToken & { arrived: string[] }>();
  for (const { flow, scope } of state.arrived) {
    const nodeID = model.flow(flow).target;
    const key = `${scope} ${nodeID}`;
    const scopeKey = scope === ROOT ? undefined : scopeKeyOf(instance, { scope } as ElementInstance);
    const join = joins.get(key) ?? { nodeID, ...(scopeKey !== undefined && { scopeKey }), arrived: [] };
    join.arrived.push(flow);
    joins.set(key, join);
  }
  return [...joins.values()];
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
