/** What the workflow of an instance may ask of the outside. */
import type { Pool } from 'pg';
import { ModelCache } from '../dmn/index.js';
import type { Command, DecisionAnswer } from '../engine/commands.js';
import type { Graph } from '../engine/graph.js';
import type { Park, ParkAnswer, StepInputs } from '../engine/park.js';
import { writePark } from '../store/park.js';
import { tickStartTimer, type StartTimerAddress, type TickOutcome } from '../store/start-timers.js';
import type { Tracer } from '../tracing/tracer.js';
import { evaluateDecision, type DecisionRequest } from './evaluate-decision.js';
import type { GraphCache } from './graph-cache.js';
import { loadCommand } from './load-command.js';
import { migrateInstances } from './migrate-instances.js';
import { requestCancellation } from './request-cancellation.js';
import { stepSpan } from './step-span.js';

/** All may run more than once with the same input. */
export interface Activities {
  /** Writes a park in one transaction, or answers what became of it already. */
  park(written: Park): Promise<ParkAnswer>;
  /** The compiled graph with this content address. */
  loadGraph(wanted: { graphSha256: string }): Promise<Graph>;
  /** A command of an instance, whole. */
  loadCommand(wanted: { workflowID: string; number: number }): Promise<Command>;
  /** What a decision comes to, or why it does not. */
  evaluateDecision(asked: DecisionRequest): Promise<DecisionAnswer['outcome']>;
  /** Turns a cancellation asked for in Temporal into a command. */
  requestCancellation(canceled: { projectID: string; workflowID: string }): Promise<void>;
  /** Starts the instance of one tick of a timer; `tick` in epoch milliseconds. What it answers is for people who look at Temporal. */
  startByTimer(timer: StartTimerAddress & { tick: number }): Promise<TickOutcome>;
  /** Works at a migration of many instances for some seconds; true when it is completed. */
  migrateInstances(migration: { migrationID: string }): Promise<boolean>;
}

/** A park that this process has given to the store. */
export interface WrittenPark {
  park: Park;
  answer: ParkAnswer['kind'];
  /** How long the store took. */
  seconds: number;
}

export interface ActivityContext {
  store: Pool;
  graphs: GraphCache;
  tracer: Tracer;
  /** Told of every park. */
  onPark?(written: WrittenPark): void;
}

export function createActivities({ store, graphs, tracer, onPark }: ActivityContext): Activities {
  const models = new ModelCache();
  return {
    async park(park) {
      const startedAt = performance.now();
      const answer = await tracer.trace(stepSpan(park), (traceContext) => writePark(store, { ...park, traceContext }));
      onPark?.({ park, answer: answer.kind, seconds: (performance.now() - startedAt) / 1000 });
      return withInputs(answer, park.inputs);
    },
    loadGraph: async ({ graphSha256 }) => (await graphs.get(graphSha256)).graph,
    loadCommand: (wanted) => loadCommand(store, wanted),
    evaluateDecision: (asked) => evaluateDecision(store, models, asked),
    requestCancellation: (canceled) => requestCancellation(store, canceled),
    migrateInstances: (migration) => migrateInstances(store, migration),
    startByTimer: ({ tick, ...timer }) => tickStartTimer(store, timer, tick),
  };
}

/** The inputs go into the history with the outcome: a replay may see another time than the attempt that was written. */
function withInputs(answer: ParkAnswer, { answers: _inHistory, ...inputs }: StepInputs): ParkAnswer {
  return answer.kind === 'accepted' ? { ...answer, inputs } : answer;
}
