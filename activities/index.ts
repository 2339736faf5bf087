/** The activities that the workflow of an instance may call. */
import { ModelCache } from '@perdure/dmn';
import type { DecisionEvaluation } from '@perdure/engine/contract/commands.js';
import { digestOf } from '@perdure/engine/state/facts-digest.js';
import type {
  CommitAnswer,
  CommitContext,
  CommitResult,
  Exchange,
  ExchangeAnswer,
  RecordedResult,
  StepCommit,
} from '@perdure/engine/contract/step-commit.js';
import { removePayloadsOf } from '../store/steps/stored-payloads.js';
import { tickStartTimer, type StartTimerAddress, type TickOutcome } from '../store/messages/start-timers.js';
import type { Tracer } from '../telemetry/tracer.js';
import { commitStep, type CommittedStep, type UnstorableCommit } from '../hot-instances/commit-step.js';
import { endCanceled } from './end-canceled.js';
import { evaluateDecision, type DecisionRequest } from './evaluate-decision.js';
import type { GraphCache } from '../store/definitions/graph-cache.js';
import type { Lingers } from '../hot-instances/lingers.js';
import { readForStep } from './read-for-step.js';
import { requestCancellation } from './request-cancellation.js';
import { stepSpan } from './step-span.js';
import type { PooledDatabase } from '../store/connections/pooled-database.js';
import type { Database } from '../store/sql/database.js';

/** All may run more than once with the same input. */
export interface Activities {
  /**
   * One exchange of an instance with the store. `commit` commits a step in one transaction, or returns the outcome of an
   * earlier attempt. It may wait for the next command and return it too.
   */
  exchange(asked: Exchange): Promise<ExchangeAnswer>;
  /** The result of a decision, or why it has none. */
  evaluateDecision(asked: DecisionRequest): Promise<DecisionEvaluation['outcome']>;
  /**
   * Starts the instance of one tick of a timer; `tick` in epoch milliseconds. The result is for users of the Temporal
   * UI.
   */
  startByTimer(timer: StartTimerAddress & { tick: number }): Promise<TickOutcome>;
}

/** A step commit that this process has sent to the store. */
export interface MeasuredCommit {
  commit: StepCommit;
  answer: CommitResult['kind'];
  /** Duration of the commit in the store. */
  seconds: number;
}

export interface ActivityContext {
  /** Projects take turns at its connections. */
  store: Pick<PooledDatabase, 'of'>;
  graphs: GraphCache;
  tracer: Tracer;
  /** Commits that wait for the next command; undefined if commits do not wait. */
  lingers?: Lingers | undefined;
  /** Called for every step commit. */
  onStepCommitted?(written: MeasuredCommit): void;
  /** Called when the database refuses the content of a step. The instance takes another one instead. */
  onUnstorable?(refused: UnstorableCommit): void;
  /** Called for every failed attempt, which is retried. */
  onFailure?(activity: keyof Activities): void;
}

export function createActivities({
  store,
  graphs,
  tracer,
  lingers,
  onStepCommitted,
  onUnstorable,
  onFailure,
}: ActivityContext): Activities {
  const models = new ModelCache();

  async function commitAndWait(store: Database, commit: StepCommit, context: CommitContext): Promise<CommitAnswer> {
    // Before the commit: between a commit and its wait nothing may fail, or the place of the wait would stay taken.
    if (context.runsEnded) await removePayloadsOf(store, commit.workflowID, context.runsEnded);
    const startedAt = performance.now();
    const { answer, news } = await tracer.trace<CommittedStep>(stepSpan(commit), (traceContext) =>
      commitStep(store, lingers, { ...commit, traceContext }, context, onUnstorable),
    );
    onStepCommitted?.({ commit, answer: answer.kind, seconds: (performance.now() - startedAt) / 1000 });
    return { ...forHistory(answer, commit), ...(await news()) };
  }

  async function exchange(asked: Exchange): Promise<ExchangeAnswer> {
    const own = store.of(asked.projectID);
    switch (asked.kind) {
      case 'commit':
        return commitAndWait(own, asked.commit, asked.context);
      case 'read':
        return readForStep(own, graphs, asked);
      case 'cancel':
        await requestCancellation(own, asked);
        return { kind: 'cancelWritten' };
      case 'end':
        return { kind: (await endCanceled(own, asked)) ? 'ended' : 'notEnded' };
    }
  }

  return counted(onFailure, {
    exchange,
    evaluateDecision: (asked) => evaluateDecision(store.of(asked.projectID), models, asked),
    startByTimer: ({ tick, ...timer }) => tickStartTimer(store.of(timer.projectID), timer, tick),
  });
}

function counted(onFailure: ActivityContext['onFailure'], activities: Activities): Activities {
  const entries = Object.entries(activities) as [keyof Activities, (...input: unknown[]) => Promise<unknown>][];
  const count = (name: keyof Activities) => (error: unknown) => {
    onFailure?.(name);
    throw error;
  };
  return Object.fromEntries(
    entries.map(([name, run]) => [name, (...input: unknown[]) => run(...input).catch(count(name))]),
  ) as unknown as Activities;
}

/**
 * The inputs go into the workflow history with the result, because a replay may see another time than the committed
 * attempt. So does the digest of the facts, so that a replay that computes others is detected.
 */
function forHistory(
  answer: CommitResult,
  { facts, inputs: { evaluations: _inHistory, ...inputs } }: StepCommit,
): RecordedResult {
  if (answer.kind === 'unstorable' || answer.kind === 'unkept') return { ...answer, inputs };
  return answer.kind === 'accepted' ? { digest: digestOf(facts), ...answer, inputs } : answer;
}
