/**
 * Ad-hoc sub-processes: BPMN 2.0.2 section 13.3.5. An element inside starts when the collection of active elements
 * names it or when it is activated from outside. The completion condition is evaluated whenever something inside has
 * completed or variables were set from outside. Without a condition the sub-process completes when nothing inside is
 * active. With a job, its worker decides both: `behaviors/flow/driven-ad-hoc.ts`.
 */
import { isCompensatedAgain } from '../behaviors/compensation/compensation-records.js';
import { isAgent } from '../behaviors/flow/agents.js';
import {
  beginFlow,
  continueDriven,
  endedInside,
  enterDriven,
  interruptDriven,
  isDriven,
  rememberOpened,
} from '../behaviors/flow/driven-ad-hoc.js';
import { activate, complete } from '../behaviors/lifecycle/activation.js';
import { cancelInside } from '../behaviors/lifecycle/cancellation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { openScope } from '../behaviors/lifecycle/scopes.js';
import { compileJob, type JobDefinition } from '../behaviors/waiting/jobs.js';
import { failed, type Result } from '../failure.js';
import { truth, value } from '../feel.js';
import type { Json } from '../contract/json.js';
import type { ActivityBase, Expression, Node, ScopeBase } from '../model/graph.js';
import type { Compiler, SourceElement } from '../model/source.js';
import { record, type Run } from '../run.js';
import { isInterrupted, runsListeners } from '../state/element-data.js';
import type { ElementInstance } from '../state/state.js';
import type { ElementBehavior } from './element.js';

export interface AdHocSubProcessNode extends ActivityBase, ScopeBase {
  kind: 'adHocSubProcess';
  /** One activity at a time. */
  sequential?: true;
  /** Ids of the initially active elements. */
  activeElements?: Expression;
  completionCondition?: Expression;
  /** Whether remaining active elements run to completion when the condition is true. */
  keepsRemaining?: true;
  /** Asks a job worker what to do. The members below belong to it. */
  job?: JobDefinition;
  /** The node of the scope around each activation; the nodes inside the sub-process are inside that one. */
  innerInstance?: string;
  /** The elements that the worker can activate, as its job describes them. */
  elements?: ListedElement[];
  /** Collects one value of each activation that has ended. */
  output?: { collection: string; element: Expression };
  /** The role `connectors` drives it with a model; see `behaviors/flow/agents.ts`. */
  agent?: AgentDefinition;
}

export interface AgentDefinition {
  /** Gets the last answer. */
  resultVariable?: string;
}

/** An element inside, as the job of its ad-hoc sub-process describes it. Empty members are left out. */
export interface ListedElement {
  elementId: string;
  elementName?: string;
  documentation?: string;
  properties?: { [name: string]: string };
  /** From the calls of `fromAi` in its input mappings. */
  parameters?: ListedParameter[];
}

export interface ListedParameter {
  name: string;
  description?: string;
  type?: string;
  schema?: Json;
  options?: Json;
}

export const adHocSubProcess: ElementBehavior<AdHocSubProcessNode> = {
  isActivity: true,

  compile(source, compiler) {
    const collection = source.extension('adHoc')?.attribute('activeElementsCollection');
    const condition = source.children('completionCondition')[0]?.text;
    return {
      ...(source.attribute('ordering') === 'Sequential' && { sequential: true as const }),
      ...(collection && { activeElements: compiler.feel(source, collection, 'collection of active elements') }),
      ...(condition && { completionCondition: compiler.feel(source, condition, 'completion condition') }),
      ...(!source.flag('cancelRemainingInstances', true) && { keepsRemaining: true as const }),
      ...(source.extension('taskDefinition') && compileDriven(source, compiler)),
    };
  },

  enter(run, element, node) {
    if (isDriven(node)) return enterDriven(run, element, node);
    // A retry after the completion condition failed: the elements inside have already started.
    if (element.data?.['entered'] === true) return reconsider(run, element, node);
    const opened = openScope(run, element, node);
    if (!opened.ok) return fail(run, element, opened.failure);
    const wanted = wantedElements(run, element, node);
    if (!wanted.ok) return fail(run, element, wanted.failure);
    remember(run, element, { entered: true, wanted: wanted.value, begun: 0 });
    if (wanted.value.length > 0) askForTurn(run, element);
    else if (node.activeElements) reconsider(run, element, node);
  },

  openedEmpty(run, element, node) {
    if (isDriven(node)) rememberOpened(run, element);
    else remember(run, element, { entered: true, wanted: [], begun: 0 });
  },

  insideCompleted: reconsider,

  compensated: reconsider,

  interrupted(run, element, node) {
    if (isDriven(node)) interruptDriven(run, element);
    else remember(run, element, { wanted: [], begun: 0, interrupted: true });
  },

  onContinue(run, element, node) {
    if (isDriven(node)) return continueDriven(run, element, node);
    if (element.data?.['toReconsider'] === true) {
      remember(run, element, { toReconsider: false });
      return reconsider(run, element, node);
    }
    const { wanted, begun } = progressOf(element);
    const next = wanted[begun];
    if (next === undefined || (node.sequential && element.inside > 0)) return;
    remember(run, element, { begun: begun + 1 });
    if (begun + 1 < wanted.length) askForTurn(run, element);
    activate(run, next, element);
  },
};

/** Whether `id` is directly inside and can be activated from outside. */
export function canBegin(run: Run, node: AdHocSubProcessNode, id: string): boolean {
  return run.model.inside(node.innerInstance ?? node.id).some((inside) => inside.id === id && isStartable(inside));
}

/** Starts `id`, or queues it after the active element in a sequential ad-hoc sub-process. */
export function beginInside(run: Run, element: ElementInstance, node: AdHocSubProcessNode, id: string): void {
  if (isDriven(node)) return beginFlow(run, element, node, id);
  const { wanted, begun } = progressOf(element);
  remember(run, element, { wanted: [...wanted.slice(begun), id], begun: 0 });
  askForTurn(run, element);
}

/** Evaluates the completion condition, or asks the job worker again. */
export function reconsider(run: Run, element: ElementInstance, node: AdHocSubProcessNode): void {
  if (runsListeners(element)) return;
  if (isDriven(node)) return endedInside(run, element);
  if (element.incident !== undefined || isCompensatedAgain(run, element)) return;
  const done = isDone(run, element, node);
  if (!done.ok) return fail(run, element, done.failure);
  if (!done.value) return isAllBegun(element) ? undefined : askForTurn(run, element);
  remember(run, element, { wanted: [], begun: 0 });
  if (!node.keepsRemaining) cancelInside(run, element, `the completion condition of ${node.id} is true`);
  if (isIdle(element)) complete(run, element);
}

/** Defers the completion condition until something moves again, because the instance is paused. */
export function reconsiderLater(run: Run, element: ElementInstance): void {
  remember(run, element, { toReconsider: true });
  askForTurn(run, element);
}

function isDone(run: Run, element: ElementInstance, node: AdHocSubProcessNode): Result<boolean> {
  if (isInterrupted(element)) return { ok: true, value: isIdle(element) };
  if (node.completionCondition)
    return truth(run, element, node.completionCondition, `completion condition of ${node.id}`);
  return { ok: true, value: isIdle(element) && isAllBegun(element) };
}

/** Whether nothing inside is active. Between two handlers, a compensation is not inside. */
function isIdle({ inside, compensation }: ElementInstance): boolean {
  return inside === 0 && !compensation;
}

/**
 * One at a time, each by a continuation, so that a long list of elements that complete at once causes no deep
 * recursion.
 */
function askForTurn(run: Run, element: ElementInstance): void {
  record(run, { kind: 'ELEMENT_CONTINUED', element: element.id, again: true });
}

function wantedElements(run: Run, element: ElementInstance, node: AdHocSubProcessNode): Result<string[]> {
  if (!node.activeElements) return { ok: true, value: [] };
  const found = value(run, element, node.activeElements, `collection of active elements of ${node.id}`);
  if (!found.ok) return found;
  const ids = found.value;
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string' && canBegin(run, node, id)))
    return { ok: true, value: ids as string[] };
  return failed({
    errorType: 'FeelError',
    errorCode: 'TYPE_MISMATCH',
    message: `The collection of active elements of ${node.id} must be a list of ids of elements directly inside it that can start without an incoming token`,
  });
}

/** Reads the job and the output collection; the compiler adds what it knows about the elements inside. */
function compileDriven(
  source: SourceElement,
  compiler: Compiler,
): Pick<AdHocSubProcessNode, 'job' | 'elements' | 'output' | 'agent'> {
  const collection = source.extension('adHoc')?.attribute('outputCollection');
  const element = source.extension('adHoc')?.attribute('outputElement');
  if ((collection ? 1 : 0) + (element ? 1 : 0) === 1)
    compiler.problem('error', source, 'outputCollection and outputElement of an ad-hoc sub-process need each other');
  const job = compileJob(source, compiler);
  return {
    job,
    elements: [],
    ...(isAgent(job) && { agent: compileAgent(source, job, compiler) }),
    ...(collection &&
      element && {
        output: {
          collection: compiler.variableName(source, collection, 'output collection'),
          element: compiler.feel(source, element, 'output element'),
        },
      }),
  };
}

function compileAgent(source: SourceElement, { headers }: JobDefinition, compiler: Compiler): AgentDefinition {
  const name = headers?.['resultVariable'];
  return name ? { resultVariable: compiler.variableName(source, name, 'result variable') } : {};
}

/** Whether an element inside an ad-hoc sub-process can start without an incoming token. */
export function isStartable(node: Node): boolean {
  if (
    node.kind === 'boundaryEvent' ||
    node.kind === 'eventSubProcess' ||
    node.kind === 'startEvent' ||
    node.kind === 'endEvent'
  )
    return false;
  if (node.kind === 'userTask' && node.approves !== undefined) return false;
  return !('forCompensation' in node && node.forCompensation);
}

/** Ids of the elements to start, and how many of them have started. */
interface Progress {
  wanted: string[];
  begun: number;
}

function progressOf({ data }: ElementInstance): Progress {
  return { wanted: (data?.['wanted'] as string[] | undefined) ?? [], begun: Number(data?.['begun'] ?? 0) };
}

function isAllBegun(element: ElementInstance): boolean {
  const { wanted, begun } = progressOf(element);
  return begun >= wanted.length;
}

function remember(
  run: Run,
  element: ElementInstance,
  data: Partial<Progress> & { entered?: true; toReconsider?: boolean; interrupted?: true },
): void {
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data });
}
