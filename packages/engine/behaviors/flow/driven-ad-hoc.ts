/**
 * Ad-hoc sub-processes that a job worker drives. A job asks the worker for its decision when the sub-process is entered
 * and each time something inside has ended. The worker activates elements, or says that the sub-process is done.
 */
import { TOOL_CALL_RESULTS } from '@perdure/lib/model-files/agents.js';
import type { JobResult } from '../../contract/commands.js';
import type { Json, Variables } from '../../contract/json.js';
import type { AdHocSubProcessNode } from '../../elements/ad-hoc-sub-process.js';
import type { Result } from '../../failure.js';
import { value } from '../../feel.js';
import { childrenOf, nodeOf, record, scopeOf, waitsOf, type Run } from '../../run.js';
import { isInterrupted } from '../../state/element-data.js';
import { isEnabled } from '../../state/flags.js';
import type { ElementInstance } from '../../state/state.js';
import { isCompensatedAgain } from '../compensation/compensation-records.js';
import { propagate, setLocal, targetsOf } from '../data/variables.js';
import { complete, enterNode } from '../lifecycle/activation.js';
import { cancelInside } from '../lifecycle/cancellation.js';
import { roomAt, roomFor } from '../lifecycle/capacity.js';
import { fail } from '../lifecycle/failures.js';
import { openScope } from '../lifecycle/scopes.js';
import { createJob } from '../waiting/jobs.js';
import { listenInScope } from '../waiting/event-sub-processes.js';
import { cancelWait } from '../waiting/waits.js';
import { conversationOf, firstOfCall, resultOfCall } from './agents.js';

/** An ad-hoc sub-process with a job. */
export type DrivenNode = AdHocSubProcessNode &
  Required<Pick<AdHocSubProcessNode, 'job' | 'innerInstance' | 'elements'>>;

export function isDriven(node: AdHocSubProcessNode): node is DrivenNode {
  return node.job !== undefined;
}

export function enterDriven(run: Run, element: ElementInstance, node: DrivenNode): void {
  if (element.data?.['entered'] === true) return enterAgain(run, element, node);
  const opened = openScope(run, element, node);
  if (!opened.ok) return fail(run, element, opened.failure);
  rememberOpened(run, element);
  askWorker(run, element, node);
}

export function rememberOpened(run: Run, element: ElementInstance): void {
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { entered: true } });
}

/** A retry has closed its waits, those of its event sub-processes included. Activations inside continue. */
function enterAgain(run: Run, element: ElementInstance, node: DrivenNode): void {
  const listening = isInterrupted(element) ? undefined : listenInScope(run, element);
  if (listening && !listening.ok) return fail(run, element, listening.failure);
  continueDriven(run, element, node);
}

/**
 * Called when something inside has ended. The next job is created once nothing else moves, so that what ends together
 * makes one job.
 */
export function endedInside(run: Run, element: ElementInstance): void {
  if (!isCompensatedAgain(run, element)) record(run, { kind: 'ELEMENT_CONTINUED', element: element.id, again: true });
}

export function continueDriven(run: Run, element: ElementInstance, node: DrivenNode): void {
  if (element.incident !== undefined || isCompensatedAgain(run, element)) return;
  const decided = isDecided(element);
  if (!decided || isEnabled(run.state, 'decidedAdHocsBeginTheRest')) beginHeldBack(run, element, node);
  if (!decided) return askWorker(run, element, node);
  if (isIdle(element)) completeDriven(run, element, node);
}

/** An event has ended everything inside: the worker is not asked again. */
export function interruptDriven(run: Run, element: ElementInstance): void {
  cancelJob(run, element, `${element.node} was interrupted`);
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { interrupted: true } });
}

/** Whether the worker, or an interrupting event, has said that the sub-process ends with what is left inside. */
export function isDecided(element: ElementInstance): boolean {
  return element.data?.['fulfilled'] === true || isInterrupted(element);
}

/** Why the worker's decision does not apply; undefined if it does. */
export function whyNotFollowed(
  element: ElementInstance,
  node: DrivenNode,
  { activateElements = [], isCompletionConditionFulfilled, isCancelRemainingInstances }: JobResult,
): string | undefined {
  const unlisted = activateElements.find(({ elementId }) => !isListed(node, elementId));
  if (unlisted)
    return `Ad-hoc sub-process ${node.id} has no element ${unlisted.elementId} that its worker can activate. The job's variable adHocSubProcessElements lists them.`;
  if (isCompletionConditionFulfilled === true)
    return activateElements.length === 0
      ? undefined
      : `The result activates elements of ad-hoc sub-process ${node.id} and says that its completion condition is fulfilled. Only one of the two is possible.`;
  const staysActive = isCancelRemainingInstances !== true && !isIdle(element);
  if (activateElements.length > 0 || staysActive) return undefined;
  return `Nothing would be active in ad-hoc sub-process ${node.id}, so it would never end. Activate an element, or set isCompletionConditionFulfilled.`;
}

function isListed(node: DrivenNode, id: string): boolean {
  return node.elements.some((listed) => listed.elementId === id);
}

/** Does what the worker has decided; `whyNotFollowed` has found nothing against it. */
export function followDecision(
  run: Run,
  element: ElementInstance,
  node: DrivenNode,
  variables: Variables,
  { activateElements = [], isCompletionConditionFulfilled, isCancelRemainingInstances }: JobResult,
): void {
  const room = roomFor(run, [[element, variables], ...activateElements.map(asNew)]);
  if (!room.ok) return fail(run, element, room.failure);
  setLocal(run, element, variables);
  if (isCancelRemainingInstances === true)
    cancelInside(run, element, `the job worker of ${node.id} canceled the remaining activities`);
  for (const { elementId, variables: own } of activateElements)
    beginFlow(run, element, node, node.agent ? firstOfCall(run, element, elementId) : elementId, own);
  if (isCompletionConditionFulfilled !== true) return;
  record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { fulfilled: true } });
  continueDriven(run, element, node);
}

/** For measuring: the variables of an activation that does not exist yet. */
function asNew({ variables = {} }: { variables?: Variables | undefined }): [ElementInstance, Variables] {
  return [{ id: 0, node: '', scope: 0, at: 0, inside: 0 }, variables];
}

/** Activates `id` in a separate flow, once nothing else moves. */
export function beginFlow(
  run: Run,
  element: ElementInstance,
  node: DrivenNode,
  id: string,
  variables: Variables = {},
): void {
  const flow = enterNode(run, node.innerInstance, element, { placed: true });
  record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { wanted: [id], begun: 0 } });
  setLocal(run, flow, variables);
}

/** Whether a flow must wait, because its sub-process is sequential and another one runs in it. */
export function isHeldBack(run: Run, flow: ElementInstance): boolean {
  const adHoc = scopeOf(run, flow)!;
  const { sequential } = nodeOf(run, adHoc) as DrivenNode;
  return sequential === true && childrenOf(run, adHoc.id).some(({ id, data }) => id !== flow.id && isRunning(data));
}

/** Something inside that has begun: an event sub-process is one, too. */
function isRunning(data: ElementInstance['data']): boolean {
  return data?.['begun'] !== 0 || (data['wanted'] as string[]).length === 0;
}

/** In a sequential sub-process the next flow begins when one has ended. */
function beginHeldBack(run: Run, element: ElementInstance, { sequential }: DrivenNode): void {
  if (!sequential) return;
  const inside = childrenOf(run, element.id);
  if (inside.some(({ data }) => isRunning(data))) return;
  const next = inside[0];
  if (next && !next.placed) record(run, { kind: 'ELEMENT_CONTINUED', element: next.id, again: true });
}

/** At most one job is open: the newer one has seen more. */
function askWorker(run: Run, element: ElementInstance, node: DrivenNode): void {
  cancelJob(run, element, `an activity inside ${node.id} has ended, so a newer job asks for the decision`);
  const created = createJob(run, element, node.job, {
    also: {
      adHocSubProcessElements: node.elements as unknown as Json,
      ...(node.agent && conversationOf(run, element)),
    },
  });
  if (!created.ok) fail(run, element, created.failure);
}

function cancelJob(run: Run, element: ElementInstance, reason: string): void {
  for (const wait of waitsOf(run, element.id)) if (wait.kind === 'job') cancelWait(run, wait, reason);
}

/** Between two handlers, a compensation is not inside. */
function isIdle({ inside, compensation }: ElementInstance): boolean {
  return inside === 0 && !compensation;
}

/** Appends the output of a flow that has ended to the collection of its sub-process. */
export function collectOutput(run: Run, flow: ElementInstance): Result<void> {
  const adHoc = scopeOf(run, flow)!;
  const { id, output, agent } = nodeOf(run, adHoc) as DrivenNode;
  if (isCompensatedAgain(run, adHoc)) return { ok: true, value: undefined };
  if (agent) return collect(run, adHoc, TOOL_CALL_RESULTS, resultOfCall(flow));
  if (!output) return { ok: true, value: undefined };
  const found = value(run, flow, output.element, `output element of ${id}`);
  return found.ok ? collect(run, adHoc, output.collection, found.value) : found;
}

function collect(run: Run, adHoc: ElementInstance, collection: string, output: Json | undefined): Result<void> {
  if (output === undefined) return { ok: true, value: undefined };
  const collected = { [collection]: [...listOf(adHoc.variables, collection), output] };
  const room = roomAt(run, adHoc, collected);
  if (room.ok) setLocal(run, adHoc, collected);
  return room;
}

function listOf(variables: Variables | undefined, name: string): Json[] {
  const collected = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
  return Array.isArray(collected) ? collected : [];
}

function completeDriven(run: Run, element: ElementInstance, node: DrivenNode): void {
  const results = handedOn(element, node);
  // The output element of a loop reads them from the inner instance.
  if (results && element.loopCounter === undefined) {
    const scope = scopeOf(run, element)!;
    const room = roomFor(run, targetsOf(run, scope, results), element);
    if (!room.ok) return fail(run, element, room.failure);
    propagate(run, scope, results, element.id);
  }
  complete(run, element);
}

/** Output mappings of an agent replace its result variable, as those of a task do. */
function handedOn({ variables }: ElementInstance, { output, agent, outputs }: DrivenNode): Variables | undefined {
  if (output) return { [output.collection]: listOf(variables, output.collection) };
  const name = agent?.resultVariable;
  if (name === undefined || outputs || !variables || !Object.hasOwn(variables, name)) return undefined;
  return { [name]: variables[name]! };
}
