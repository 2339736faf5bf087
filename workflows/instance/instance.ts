/** One process instance while its workflow runs. */
import { workflowInfo } from '@temporalio/workflow';
import { isHalted } from '@perdure/engine/behaviors/lifecycle/halt.js';
import { hasWork } from '@perdure/engine/behaviors/flow/tokens.js';
import type { StartInput } from '@perdure/engine/contract/commands.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import { upgradeState } from '@perdure/engine/state/upgrade.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { nextDue } from '@perdure/engine/step.js';
import { WakeTimer } from './wake-timer.js';
import { Decisions } from './decisions.js';
import type { Cancellation } from './cancellation.js';
import { Clock } from './clock.js';
import type { Inbox } from './inbox.js';
import type { ProcessInstanceInput } from '../messages.js';
import { modelFor } from '../models.js';
import type { Pause } from './pause.js';
import { exchange, type Exchanger } from './exchange.js';
import { TaskLoad } from './task-load.js';
import { WayOut } from './way-out.js';

export interface Instance extends Exchanger {
  /** Input of the next run, except the state: it names the version that the instance runs now. */
  input: ProcessInstanceInput;
  model: Model;
  readonly inbox: Inbox;
  readonly wakeTimer: WakeTimer;
  readonly decisions: Decisions;
  state: State;
  /** Number of the last step commit, over all runs. */
  stepNumber: number;
  /** How the instance starts; undefined once it has started. */
  start: StartInput | undefined;
  /** Trace context of the start: the parent of work that no command caused. */
  readonly traceContext: TraceContext | undefined;
  stepsInThisRun: number;
  /** Size of the history before the run did anything: its input, and the graph if it was loaded. */
  readonly bytesAtStart: number;
  commandsInThisRun: number;
  /** The last step allowed a rotation. */
  rotated: boolean;
  /** The store has reported that the instance was ended while this workflow did not exist. */
  endedElsewhere: boolean;
  /** A workflow task was lost after later steps than this one: they are in the store. */
  isBehind: boolean;
  /** Versions that commands of the next step migrate to, by content address. */
  readonly targets: Map<string, Model>;
  /** Types of the jobs created in this run, by their waits. */
  readonly taskTypes: Map<number, string>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly cancellation: Cancellation;
}

/** Receivers of external input, active from the first moment of a run. */
export interface Ears {
  inbox: Inbox;
  pause: Pause;
  cancellation: Cancellation;
}

/** @returns undefined if the instance was ended, because its graph could not be read and it was canceled */
export async function openInstance(
  input: ProcessInstanceInput,
  { inbox, pause, cancellation }: Ears,
): Promise<Instance | undefined> {
  const { carried, graphSha256, projectID } = input;
  const { workflowId } = workflowInfo();
  const load = new TaskLoad();
  const wayOut = new WayOut(inbox, cancellation, { projectID, workflowID: workflowId });
  const clock = new Clock();
  clock.advanceTo(Date.now());
  const graph = input.graph ?? (await readGraph({ load, wayOut }, workflowId, graphSha256));
  if (!graph) return undefined;
  const { historySize } = workflowInfo();
  return {
    input,
    model: modelFor(graphSha256, graph),
    inbox,
    wakeTimer: new WakeTimer(),
    decisions: new Decisions({ projectID, workflowID: workflowId }, load),
    state: carried ? upgradeState(carried.state) : newState(workflowId),
    stepNumber: carried?.stepNumber ?? 0,
    start: input.start,
    traceContext: input.start?.traceContext ?? carried?.traceContext,
    stepsInThisRun: 0,
    bytesAtStart: historySize + (input.graph ? 0 : JSON.stringify(graph).length),
    commandsInThisRun: 0,
    rotated: false,
    endedElsewhere: false,
    isBehind: false,
    targets: new Map(),
    taskTypes: new Map(),
    clock,
    load,
    wayOut,
    pause,
    cancellation,
  };
}

async function readGraph(exchanger: Exchanger, workflowID: string, sha256: string): Promise<Graph | undefined> {
  const asked = { kind: 'read' as const, workflowID, commands: [], kindsOnly: [], graphs: [sha256] };
  const answer = await exchange(exchanger, asked, 'definition');
  if (answer.kind === 'ended') return undefined;
  if (answer.kind === 'read' && answer.graphs[0]) return answer.graphs[0].graph;
  throw new Error(`Instance ${workflowID} has not read the graph ${sha256} of its definition`);
}

/** Whether a step taken now would do anything. During a pause nothing moves, but commands are taken. */
export function hasSomethingToDo(instance: Instance): boolean {
  const { inbox, state, start, decisions, pause, isBehind, clock } = instance;
  if (!inbox.isEmpty || isBehind) return true;
  if (pause.stands) return false;
  if (start || (!decisions.isIdle && !isHalted(state)) || hasTokensLeft(state) || state.deferred || pause.isOver)
    return true;
  const due = nextDue(state);
  return due !== undefined && due <= clock.reached;
}

/** Whether the last step ended because its budget was spent, with moving tokens or continuations left. */
export function hasTokensLeft(state: State): boolean {
  return hasWork(state) && !isHalted(state);
}
