/** The open waits of the processes in play. Those of one kind at one element share a row, which lists them as choices. */
import { isDecided } from '@perdure/engine/behaviors/flow/driven-ad-hoc.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { isStartable } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import { openWaits, type OpenWait } from '@perdure/engine/state/open-waits.js';
import { ROOT, type Incident } from '@perdure/engine/state/state.js';
import { formatDuration } from '@perdure/lib/duration.js';
import type { MemoryInstance } from '../memory-host.js';
import type { Found } from '../scenario/play.js';
import type { FormOfTask, Watched } from './watched.js';

interface PlaceOfWait {
  node: string;
  /** The call activity that called its instance: the member `in` of a step. */
  in?: string;
  /** The oldest instance with this wait, which a step reaches. */
  workflowID: string;
  processID: string;
  /** Number of waits in the row. */
  count: number;
  /** The waits between which a step can choose by `nth`, in its order: the first ones. Absent if there is no choice. */
  choices?: ChoiceInPlay[];
}

export interface ChoiceInPlay {
  workflowID: string;
  /** The id of the wait or incident. */
  wait: number;
  /** The turn of the innermost loop around it, from 1. */
  turn?: number;
}

/** Choices of one row. */
const MAX_CHOICES = 100;

export type WaitInPlay = PlaceOfWait &
  (
    | { kind: 'job'; taskType: string; attempts: number; listener?: string; wait: number }
    | { kind: 'userTask'; form?: FormOfTask; wait: number }
    /** `advance`: the content of the step that fires it. */
    | { kind: 'timer'; due: number; repeats?: number; advance: string }
    | { kind: 'message'; name: string; correlation?: Json }
    | { kind: 'signal'; name: string }
    | { kind: 'condition'; expression?: string }
    /**
     * `called`: the instance in play; absent if its process is in none of the files. `calledID`: its process; absent for an
     * instance that a host started.
     */
    | { kind: 'call'; called?: string; calledID?: string }
    | { kind: 'join'; missingFlows: string[] }
    /** `activities`: ids of those that can be started. */
    | { kind: 'adHoc'; activities: string[] }
    | { kind: 'incident'; errorType: string; errorCode?: string; message: string }
  );

type OfKind<Kind extends WaitInPlay['kind']> = Omit<Extract<WaitInPlay, { kind: Kind }>, keyof PlaceOfWait>;
type Own = { [Kind in WaitInPlay['kind']]: OfKind<Kind> }[WaitInPlay['kind']];

/** In the order in which a step looks: the process under test first, and the longest wait of an instance first. */
export function waitsInPlay(watched: Watched): WaitInPlay[] {
  const { play } = watched;
  const rows = new Map<string, WaitInPlay>();
  for (const instance of play.instances) {
    const call = play.callerOf(instance.workflowID);
    for (const open of openWaits(instance.model, instance.state)) {
      const own = ownOf(watched, instance, open);
      if (own) add(rows, instance, { ...own, node: open.node! }, { call, id: open.id });
    }
    for (const own of adHocsOf(instance)) add(rows, instance, own, { call });
  }
  return [...rows.values()].map(withChoices);
}

/** A step takes the waits of an instance in the order of their ids. */
function withChoices({ choices = [], ...row }: WaitInPlay): WaitInPlay {
  if (choices.length < 2) return row as WaitInPlay;
  const instances = [...new Set(choices.map(({ workflowID }) => workflowID))];
  const place = ({ workflowID }: ChoiceInPlay) => instances.indexOf(workflowID);
  const sorted = choices.toSorted((one, other) => place(one) - place(other) || one.wait - other.wait);
  return { ...row, choices: sorted.slice(0, MAX_CHOICES) } as WaitInPlay;
}

function add(
  rows: Map<string, WaitInPlay>,
  instance: MemoryInstance,
  own: Own & { node: string },
  { call, id }: { call: string | undefined; id?: number | undefined },
): void {
  const { workflowID, model } = instance;
  const key = JSON.stringify([own.kind, own.node, call, publicationOf(own)]);
  const choices = isChosen(own) ? [choiceOf(instance, own.kind, id!)] : [];
  const row = rows.get(key);
  if (row) {
    row.count += 1;
    row.choices!.push(...choices);
    return;
  }
  const place = { workflowID, processID: model.graph.processID, count: 1, ...(call !== undefined && { in: call }) };
  rows.set(key, { ...own, ...place, choices } as WaitInPlay);
}

/** Whether a step names one of them by element and number. A call of a process in play ends with that process. */
function isChosen(own: Own): boolean {
  if (own.kind === 'call') return own.called === undefined;
  return own.kind === 'job' || own.kind === 'userTask' || own.kind === 'incident';
}

function choiceOf({ workflowID, state }: MemoryInstance, kind: Own['kind'], id: number): ChoiceInPlay {
  const waiting = kind === 'incident' ? state.incidents[id] : state.waits[id];
  let element = waiting && state.elements[waiting.element];
  while (element && element.loopCounter === undefined && element.id !== ROOT) element = state.elements[element.scope];
  return { workflowID, wait: id, ...(element?.loopCounter !== undefined && { turn: element.loopCounter }) };
}

/** Ad-hoc sub-processes in which something can be started, also while something is active there. */
function adHocsOf({ model, state }: MemoryInstance): (Own & { node: string })[] {
  if (state.status !== 'RUNNING') return [];
  return Object.values(state.elements).flatMap((element) => {
    const node = model.node(element.node);
    if (node.kind !== 'adHocSubProcess' || node.job || element.loop || element.data?.['entered'] !== true) return [];
    if (isDecided(element) || (node.sequential && element.inside > 0)) return [];
    const inside = model.inside(node.innerInstance ?? node.id).filter(isStartable);
    const activities = inside.slice(0, MAX_CHOICES).map(({ id }) => id);
    return [{ kind: 'adHoc' as const, node: element.node, activities }];
  });
}

/** Messages for one node can have different keys, and each is published separately. */
function publicationOf(own: Own): Json[] {
  if (own.kind === 'message') return [own.name, own.correlation ?? null];
  return own.kind === 'signal' ? [own.name] : [];
}

function ownOf(watched: Watched, instance: MemoryInstance, open: OpenWait): Own | undefined {
  const { play } = watched;
  const wait = instance.state.waits[open.id!];
  switch (open.kind) {
    case 'job':
      return { kind: 'job', wait: open.id!, ...play.jobOf({ instance, wait } as Found<'job'>), ...listenerOf(open) };
    case 'userTask': {
      const form = watched.formOf(instance, open.id!, open.node!);
      return { kind: 'userTask', wait: open.id!, ...(form && { form }) };
    }
    case 'timer':
      return { kind: 'timer', due: open.due, ...repeatsOf(open), advance: untilDue(watched, open.due) };
    case 'call':
      return callOf(watched, open.workflowID);
    case 'incident':
      return incidentOf(instance.state.incidents[open.id!]!);
    case 'message':
      return { kind: 'message', name: open.name, ...correlationOf(open) };
    case 'signal':
      return { kind: 'signal', name: open.name };
    case 'condition':
      return { kind: 'condition', ...(open.expression !== undefined && { expression: open.expression }) };
    case 'join':
      return { kind: 'join', missingFlows: open.missingFlows };
    // Listed with its activities, also while one is active.
    case 'adHoc':
    // Work that no step causes: a halted instance continues it after the incident, and decisions are made at once.
    case 'begin':
    case 'decision':
      return undefined;
  }
}

function listenerOf({ listener }: Extract<OpenWait, { kind: 'job' }>): { listener?: string } {
  return listener ? { listener: listener.eventType } : {};
}

function repeatsOf({ repeats }: Extract<OpenWait, { kind: 'timer' }>): { repeats?: number } {
  return repeats === undefined ? {} : { repeats };
}

function correlationOf({ correlation }: Extract<OpenWait, { kind: 'message' | 'signal' }>): { correlation?: Json } {
  return correlation === undefined ? {} : { correlation };
}

function callOf(watched: Watched, workflowID: string): OfKind<'call'> {
  const calledID = watched.calledProcess(workflowID);
  const isHere = watched.play.host.instances.has(workflowID);
  return { kind: 'call', ...(isHere && { called: workflowID }), ...(calledID !== undefined && { calledID }) };
}

function incidentOf({ errorType, errorCode, message }: Incident): OfKind<'incident'> {
  return { kind: 'incident', errorType, ...(errorCode !== undefined && { errorCode }), message };
}

/** Moving the clock there fires what is due before, too. */
function untilDue({ play: { host } }: Watched, due: number): string {
  return due === host.nextDue() ? 'next timer' : formatDuration(Math.max(0, due - host.now));
}
