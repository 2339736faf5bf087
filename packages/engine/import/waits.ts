/** Opens what a token waits for, with what it brings instead of what the model says. */
import { continueDriven, isDriven } from '../behaviors/flow/driven-ad-hoc.js';
import type { Fact, FactKind, FactOf } from '../contract/facts.js';
import type { ImportedTask, ImportedToken } from '../contract/imported.js';
import type { Node } from '../model/graph.js';
import { isKind } from '../model/model.js';
import { behaviorOf } from '../registry.js';
import { isActive, nextID, record, type Run } from '../run.js';
import { ERROR_TYPES, type ElementInstance, type ErrorType } from '../state/state.js';
import { instantAt, report, type At, type Draft } from './draft.js';
import { openBoundary, openEventSubProcesses, positionsOf, retime } from './listeners.js';

/** The facts that open a wait. Any other fact says that the node could not begin to wait. */
const OPENING: ReadonlySet<FactKind> = new Set<FactKind>([
  'JOB_CREATED',
  'USER_TASK_CREATED',
  'TIMER_STARTED',
  'SUBSCRIPTION_OPENED',
  'CONDITION_OPENED',
  'CHILD_CALLED',
]);

export function openWait(draft: Draft, element: ElementInstance, node: Node, token: ImportedToken, at: At): void {
  const { run } = draft;
  // An issue of another token may have ended it.
  if (!isActive(run, element)) return;
  run.budget.nextUnit();
  const { listening, incident } = token;
  if (element.loopCounter === undefined) openBoundary(draft, element, node, listening, at);
  const first = run.facts.length;
  if (isKind(node, 'adHocSubProcess')) openAdHoc(draft, element, node, token, at);
  if (incident) return raise(draft, element, token, at);
  if (!isKind(node, 'adHocSubProcess')) enter(run, element, node);
  checkOpened(draft, first, at);
  retime(draft, first, token, at);
  const { retries, task } = token;
  const isJob = { member: '.retries', message: 'has no job' };
  const isTask = { member: '.task', message: 'is not a user task' };
  replace(draft, first, 'JOB_CREATED', retries === undefined ? undefined : (fact) => ({ ...fact, retries }), isJob, at);
  replace(draft, first, 'USER_TASK_CREATED', task && ((fact) => withTask(draft, fact, task, at)), isTask, at);
  call(draft, first, node, at);
}

function enter(run: Run, element: ElementInstance, node: Node): void {
  const behavior = behaviorOf(run, node);
  if (behavior.enterImported) behavior.enterImported(run, element, node);
  else behavior.enter(run, element, node);
}

function openAdHoc(
  draft: Draft,
  element: ElementInstance,
  node: Extract<Node, { kind: 'adHocSubProcess' }>,
  { listening, incident }: ImportedToken,
  at: At,
): void {
  const { run } = draft;
  behaviorOf(run, node).openedEmpty?.(run, element, node);
  openEventSubProcesses(draft, element, `token ${at.tokenIndex}`, listening, at);
  if (isDriven(node) && !incident) continueDriven(run, element, node);
}

function raise(draft: Draft, element: ElementInstance, token: ImportedToken, at: At): void {
  const { incident, dueAt, repeats, retries, task } = token;
  for (const [name, value] of Object.entries({ dueAt, repeats, retries, task }))
    if (value !== undefined)
      report(draft, at, 'a token at an incident does not wait for anything else until it is resolved', `.${name}`);
  const { type, message } = incident!;
  record(draft.run, {
    kind: 'INCIDENT_RAISED',
    incident: nextID(draft.run),
    element: element.id,
    node: element.node,
    errorType: ERROR_TYPES.find((known) => known === type) ?? ('Unknown' satisfies ErrorType),
    message,
  });
}

function checkOpened(draft: Draft, first: number, at: At): void {
  const facts = draft.run.facts.slice(first);
  if (facts.every(({ kind }) => OPENING.has(kind) || kind === 'ELEMENT_DATA_SET')) return;
  const raised = facts.find((fact): fact is FactOf<'INCIDENT_RAISED'> => fact.kind === 'INCIDENT_RAISED');
  report(
    draft,
    at,
    raised
      ? `cannot wait here: ${raised.message}`
      : 'cannot wait here: an expression of the model fails, and an error event catches that',
  );
}

/** Changes the fact of this kind that was recorded from the fact `first` on. */
function replace<K extends FactKind>(
  draft: Draft,
  first: number,
  kind: K,
  change: ((fact: FactOf<K>) => FactOf<K>) | undefined,
  missing: { member: string; message: string },
  at: At,
): void {
  if (!change) return;
  const { facts } = draft.run;
  const [index] = positionsOf(facts, kind, first);
  if (index === undefined) return report(draft, at, missing.message, missing.member);
  facts[index] = change(facts[index] as FactOf<K>) as Fact;
}

function withTask(
  draft: Draft,
  fact: FactOf<'USER_TASK_CREATED'>,
  task: ImportedTask,
  at: At,
): FactOf<'USER_TASK_CREATED'> {
  const dueDate = instantAt(draft, task.dueDate, at, '.task.dueDate');
  const followUpDate = instantAt(draft, task.followUpDate, at, '.task.followUpDate');
  return {
    ...fact,
    ...(task.assignee !== undefined && { assignee: task.assignee }),
    ...(task.candidateUsers && { candidateUsers: task.candidateUsers }),
    ...(task.candidateGroups && { candidateGroups: task.candidateGroups }),
    ...(dueDate !== undefined && { dueDate }),
    ...(followUpDate !== undefined && { followUpDate }),
    ...(task.priority !== undefined && { priority: task.priority }),
  };
}

/** The called instance is imported too, so nothing is started and its variables are its own. */
function call(draft: Draft, first: number, node: Node, at: At): void {
  const { facts } = draft.run;
  const processID = draft.called.get(at.tokenIndex!);
  const [index] = positionsOf(facts, 'CHILD_CALLED', first);
  if (index === undefined) return;
  const fact = facts[index] as FactOf<'CHILD_CALLED'>;
  if (processID === undefined)
    return report(draft, at, `${node.id} calls a process: give the called instance in "called"`);
  const isFixed = isKind(node, 'callActivity') && 'literal' in node.processID;
  if (isFixed && fact.processID !== processID)
    report(draft, at, `${node.id} calls process ${fact.processID}, but the called instance is of process ${processID}`);
  facts[index] = { ...fact, processID, variables: {} };
}
