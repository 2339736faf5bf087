/**
 * Multi-instance activities and standard loops: BPMN 2.0.2 sections 13.3.6 and 13.3.7. The body is one element
 * instance. The inner instances inside it do the work, sequentially or in parallel.
 */
import { failed, type Result } from '../../failure.js';
import { integer, truth, value } from '../../feel.js';
import type { ActivityNode, Expression, Loop } from '../../model/graph.js';
import type { Json, Variables } from '../../contract/json.js';
import type { LoopBehavior } from '../../registry.js';
import { loopItems } from '../../state/loop-items.js';
import { isActive, nodeOf, record, scopeOf, type Run } from '../../run.js';
import { blockerOf } from '../../state/scopes.js';
import type { ElementInstance, LoopState } from '../../state/state.js';
import { activate, leave, leaveAlongFlows } from '../lifecycle/activation.js';
import { cancelInside } from '../lifecycle/cancellation.js';
import { roomAt } from '../lifecycle/capacity.js';
import { fail } from '../lifecycle/failures.js';
import { propagate } from '../data/variables.js';

export type MultiInstance = Extract<Loop, { kind: 'multiInstance' }>;
type StandardLoop = Extract<Loop, { kind: 'standard' }>;

/**
 * Maximum inner instances of one activity that run in parallel. The rest start as these end, so that the state stays
 * small.
 */
const WINDOW = 200;
/** Element instances in the whole state above which no parallel window opens further than one instance. */
const MAX_ELEMENTS = 600;
/** More items do not fit into the variables' limit, even as a list of digits. */
const MAX_INSTANCES = 500_000;
/** More results do not fit, even as a list of nulls. */
const MAX_OUTPUTS = 200_000;

export const loop: LoopBehavior = { enter: enterLoop, innerCompleted: completeInner };

function enterLoop(run: Run, body: ElementInstance, node: ActivityNode): void {
  if (body.loop) return continueLoop(run, body);
  const loop = node.loop!;
  if (loop.kind === 'standard') return record(run, { kind: 'LOOP_STARTED', element: body.id });
  const items = plan(run, body, loop);
  if (!items.ok) return fail(run, body, items.failure);
  record(run, {
    kind: 'LOOP_STARTED',
    element: body.id,
    ...items.value,
    ...(loop.outputCollection !== undefined && { output: loop.outputCollection }),
  });
}

/** The body's continuation: starts inner instances while there is room, and completes the body after the last. */
export function continueLoop(run: Run, body: ElementInstance): void {
  const loop = (nodeOf(run, body) as ActivityNode).loop!;
  if (loop.kind === 'standard') continueStandardLoop(run, body, loop);
  else continueMultiInstance(run, body, loop);
}

function continueMultiInstance(run: Run, body: ElementInstance, loop: MultiInstance): void {
  const state = body.loop!;
  const width = loop.sequential ? 1 : WINDOW;
  let elements = Object.keys(run.state.elements).length;
  run.budget.chargeScan(elements);
  for (let begun = 0; begun < width && state.started < state.total!; begun += 1) {
    if (body.inside >= width || (body.inside > 0 && elements >= MAX_ELEMENTS)) return;
    const variables = innerVariables(run, state, loop);
    // The running ones hold their own items; the next one starts when one of them has ended.
    if (body.inside > 0 && !roomAt(run, body, variables).ok) return;
    if (begun > 0 && !run.budget.allowsMoves)
      return record(run, { kind: 'ELEMENT_CONTINUED', element: body.id, again: true });
    run.budget.nextUnit();
    activate(run, body.node, body, { loopCounter: state.started + 1, variables });
    elements += 1;
    if (!isActive(run, body)) return;
  }
  if (body.inside === 0 && state.started === state.total) completeBody(run, body, state);
}

/** The variables of the instance at `index` (default: the next one). */
export function innerVariables(
  run: Run,
  state: LoopState,
  { inputElement, outputElement }: MultiInstance,
  index = state.started,
): Variables {
  const output = outputElement && variableNamed(outputElement);
  return {
    // Keeps results of parallel instances from overwriting each other in the enclosing scope.
    ...(output !== undefined && { [output[0]!]: null }),
    loopCounter: index + 1,
    ...(inputElement !== undefined && { [inputElement]: itemAt(run, state, index) }),
  };
}

function continueStandardLoop(run: Run, body: ElementInstance, loop: StandardLoop): void {
  if (body.inside > 0) return;
  const again = goesOn(run, body, loop);
  if (!again.ok) return fail(run, body, again.failure);
  const { started } = body.loop!;
  if (again.value)
    activate(run, body.node, body, { loopCounter: started + 1, variables: { loopCounter: started + 1 } });
  else leaveAlongFlows(run, body);
}

/** In the condition, `loopCounter` is the number of completed runs. */
function goesOn(run: Run, body: ElementInstance, loop: StandardLoop): Result<boolean> {
  const { started } = body.loop!;
  if (loop.maximum) {
    const maximum = integer(run, body, loop.maximum, 'maximum of the loop', 0);
    if (!maximum.ok) return maximum;
    if (started >= maximum.value) return { ok: true, value: false };
  }
  if (!loop.condition || (started === 0 && !loop.testBefore)) return { ok: true, value: true };
  return truth(run, body, loop.condition, 'condition of the loop', { loopCounter: started });
}

/** Collects the output of an inner instance, then evaluates the completion condition, which sees it. */
function completeInner(run: Run, inner: ElementInstance, node: ActivityNode): void {
  const body = scopeOf(run, inner)!;
  const loop = node.loop!;
  if (loop.kind === 'standard') return leave(run, inner, []);
  const output = loop.outputElement ? value(run, inner, loop.outputElement, `output element of ${node.id}`) : undefined;
  if (output && !output.ok) return fail(run, inner, output.failure);
  const room = output ? roomAt(run, body, { [loop.outputCollection ?? '']: output.value }) : output;
  if (room && !room.ok) return fail(run, inner, room.failure);
  const index = inner.loopCounter! - 1;
  const before = body.loop!.output?.values[index];
  if (output) collect(run, body, index, output.value);
  const enough = isEnough(run, inner, body, loop);
  if (!enough.ok) {
    // The instance does its work again and has completed nothing yet.
    if (output) collect(run, body, index, before ?? null);
    return fail(run, inner, enough.failure);
  }
  leave(run, inner, []);
  if (!enough.value || !isActive(run, body)) return;
  cancelInside(run, body, 'the completion condition of the multi-instance activity is true');
  completeBody(run, body, body.loop!);
}

function collect(run: Run, body: ElementInstance, index: number, value: Json): void {
  if (body.loop!.output) record(run, { kind: 'LOOP_OUTPUT_COLLECTED', element: body.id, index, value });
}

/** BPMN 2.0.2 table 10.30: the counters that the completion condition sees; this instance counts as completed. */
function isEnough(run: Run, inner: ElementInstance, body: ElementInstance, loop: MultiInstance): Result<boolean> {
  if (!loop.completionCondition) return { ok: true, value: false };
  const { total, started, completed } = body.loop!;
  const counters = {
    numberOfInstances: total!,
    numberOfActiveInstances: body.inside - 1,
    numberOfCompletedInstances: completed + 1,
    numberOfTerminatedInstances: started - completed - body.inside,
  };
  return truth(run, inner, loop.completionCondition, 'completion condition of the multi-instance activity', counters);
}

function completeBody(run: Run, body: ElementInstance, { output }: LoopState): void {
  // There is room: each value was measured when it was collected.
  if (output) propagate(run, scopeOf(run, body)!, { [output.name]: [...output.values] }, body.id);
  leaveAlongFlows(run, body);
}

type Items = { total: number } & Pick<LoopState, 'source' | 'items'>;

/** The number of instances, and their items if no variable holds them. */
export function plan(run: Run, body: ElementInstance, loop: MultiInstance): Result<Items> {
  const items = readItems(run, body, loop);
  if (!items.ok) return items;
  if (items.value.total <= maxInstances(loop)) {
    const room = roomAt(run, body, held(items.value, loop));
    return room.ok ? items : room;
  }
  return failed({
    errorType: 'SnapshotSizeExceeded',
    message: `Multi-instance activity ${body.node} would have ${items.value.total} instances, more than a process instance can hold. Split the collection into smaller ones.`,
  });
}

/** Size in the state apart from the instances themselves: items that no variable holds, and a slot for each output. */
function held({ total, items }: Items, { outputCollection }: MultiInstance): Variables {
  return {
    ...(items && { items }),
    ...(outputCollection !== undefined && { outputs: Array.from({ length: total }, () => null) }),
  };
}

function maxInstances({ outputCollection }: MultiInstance): number {
  return outputCollection === undefined ? MAX_INSTANCES : MAX_OUTPUTS;
}

function readItems(run: Run, body: ElementInstance, { collection, cardinality }: MultiInstance): Result<Items> {
  if (!collection) {
    const total = integer(run, body, cardinality!, `loop cardinality of ${body.node}`, 0);
    return total.ok ? { ok: true, value: { total: total.value } } : total;
  }
  const source = sourceOf(run, body, collection);
  const referenced = source && loopItems(run.state, source);
  if (referenced) return { ok: true, value: { total: referenced.length, source } };
  const found = value(run, body, collection, `input collection of ${body.node}`);
  if (!found.ok) return found;
  if (!Array.isArray(found.value)) {
    return failed({
      errorType: 'FeelError',
      errorCode: 'TYPE_MISMATCH',
      message: `The input collection of ${body.node} must be a list`,
    });
  }
  return { ok: true, value: { total: found.value.length, items: found.value } };
}

function itemAt(run: Run, { source, items }: LoopState, index: number): Json {
  const list = source ? loopItems(run.state, source) : items;
  return list?.[index] ?? null;
}

/** Location of the items, if the collection is a variable or a member of one. */
function sourceOf(run: Run, body: ElementInstance, collection: Expression): LoopState['source'] {
  const path = variableNamed(collection);
  const holder = path && blockerOf(run.state, body, path[0]!);
  return holder && { scope: holder.id, path };
}

/** Parses `results` or `order.items` as a path; undefined for every other expression. */
function variableNamed(expression: Expression): string[] | undefined {
  if (!('feel' in expression)) return undefined;
  const path: string[] = [];
  let node = expression.feel.root;
  for (; node.kind === 'member'; node = node.target) path.unshift(node.name);
  return node.kind === 'name' && node.cell === undefined && !node.builtin ? [node.name, ...path] : undefined;
}
