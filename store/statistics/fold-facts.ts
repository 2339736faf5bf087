/** Counts from the facts of a step, and the element instances that are open after it. */
import { unfolded, type Fact, type FactKind, type FactOf } from '@perdure/engine/contract/facts.js';
import { ROOT } from '@perdure/engine/state/state.js';
import { WHOLE_INSTANCE, type Counter } from './rows.js';

/** How much of an instance has been folded, as stored. Times are epoch milliseconds. */
export interface FoldedState {
  /** The version that it runs. */
  definitionID: string;
  startedAt: number;
  /** Node and time of the activation, by element instance. */
  open: { [element: number]: [nodeID: string, beganAt: number] };
}

/** Something to count, for the version that the instance runs at that point. */
export interface Occurrence {
  counter: Counter;
  definitionID: string;
  element: number;
  nodeID: string;
  at: number;
  /** -1 moves the start of an instance to another version. */
  times: 1 | -1;
  /** Of something that ended. */
  beganAt?: number;
}

/** A job or user task that was completed; its row has the times. */
export interface CompletedWork {
  table: 'jobs' | 'user_tasks';
  number: number;
  definitionID: string;
  at: number;
}

/** A sequence flow that was taken. */
export interface TakenFlow {
  definitionID: string;
  flowID: string;
  at: number;
}

export interface StepToFold {
  number: number;
  now: number;
  facts: readonly Fact[];
}

export interface FoldedStep {
  occurrences: Occurrence[];
  work: CompletedWork[];
  flows: TakenFlow[];
}

/** @param state changed in place */
export function foldStep(state: FoldedState, { number, now, facts }: StepToFold): FoldedStep {
  const fold: Fold = { state, now, occurrences: [], work: [], flows: [] };
  // Not by INSTANCE_STARTED: an instance that was canceled before its first step has only the facts of its end.
  if (number === 1 && state.startedAt === 0) {
    state.startedAt = now;
    occur(fold, 'started', ROOT, WHOLE_INSTANCE);
  }
  for (const fact of unfolded(facts)) (folders[fact.kind] as Folder<FactKind> | undefined)?.(fold, fact);
  return { occurrences: fold.occurrences, work: fold.work, flows: fold.flows };
}

/**
 * The start of an instance that may wait before its first step, counted once for the version that it starts with, which can
 * change while it waits.
 * @param state changed in place
 */
export function foldAcceptance(state: FoldedState, definitionID: string, acceptedAt: number): Occurrence[] {
  const start = { counter: 'started', element: ROOT, nodeID: WHOLE_INSTANCE, at: acceptedAt } as const;
  const isCounted = state.startedAt !== 0;
  if (isCounted && state.definitionID === definitionID) return [];
  const before: Occurrence[] = isCounted ? [{ ...start, definitionID: state.definitionID, times: -1 }] : [];
  state.startedAt = acceptedAt;
  state.definitionID = definitionID;
  return [...before, { ...start, definitionID, times: 1 }];
}

interface Fold extends FoldedStep {
  state: FoldedState;
  now: number;
}

type Folder<K extends FactKind> = (fold: Fold, fact: FactOf<K>) => void;

const folders: { readonly [K in FactKind]?: Folder<K> } = {
  ELEMENT_ACTIVATED(fold, { element, node }) {
    if (element === ROOT) return;
    fold.state.open[element] = [node, fold.now];
    occur(fold, 'started', element, node);
  },
  ELEMENT_COMPLETED(fold, { element, flows = [], passed = [] }) {
    endElement(fold, 'completed', element);
    const { state, now } = fold;
    for (const flowID of [...flows, ...passed]) fold.flows.push({ definitionID: state.definitionID, flowID, at: now });
  },
  ELEMENT_FAILED: (fold, { element }) => endElement(fold, 'failed', element),
  ELEMENT_CANCELED: (fold, { element }) => endElement(fold, 'canceled', element),
  INCIDENT_RAISED(fold, { element, node }) {
    occur(fold, 'incidents', ROOT, WHOLE_INSTANCE);
    if (element !== ROOT) occur(fold, 'incidents', element, node);
  },
  JOB_COMPLETED: (fold, { job }) => complete(fold, 'jobs', job),
  USER_TASK_COMPLETED: (fold, { task }) => complete(fold, 'user_tasks', task),
  INSTANCE_MIGRATED: migrate,
  INSTANCE_COMPLETED: (fold) => endInstance(fold, 'completed'),
  INSTANCE_FAILED: (fold) => endInstance(fold, 'failed'),
  INSTANCE_CANCELED: (fold) => endInstance(fold, 'canceled'),
};

function occur(
  { state: { definitionID }, now, occurrences }: Fold,
  counter: Counter,
  element: number,
  nodeID: string,
  beganAt?: number,
): void {
  const occurrence: Occurrence = { counter, definitionID, element, nodeID, at: now, times: 1 };
  occurrences.push(beganAt === undefined ? occurrence : { ...occurrence, beganAt });
}

function endElement(fold: Fold, counter: Counter, element: number): void {
  const open = fold.state.open[element];
  if (!open) return;
  delete fold.state.open[element];
  occur(fold, counter, element, ...open);
}

function endInstance(fold: Fold, counter: Counter): void {
  occur(fold, counter, ROOT, WHOLE_INSTANCE, fold.state.startedAt);
  fold.state.open = {};
}

function complete({ state: { definitionID }, now, work }: Fold, table: CompletedWork['table'], number: number): void {
  work.push({ table, number, definitionID, at: now });
}

/** The instance now counts as started in the new version. Open activations continue as nodes of it. */
function migrate(fold: Fold, { target, nodes }: FactOf<'INSTANCE_MIGRATED'>): void {
  const { state, occurrences } = fold;
  const start = { counter: 'started', element: ROOT, nodeID: WHOLE_INSTANCE, at: state.startedAt } as const;
  occurrences.push({ ...start, definitionID: state.definitionID, times: -1 });
  state.definitionID = target.definitionID;
  occurrences.push({ ...start, definitionID: state.definitionID, times: 1 });
  const names = new Map(nodes);
  for (const open of Object.values(state.open)) open[0] = names.get(open[0]) ?? open[0];
}
