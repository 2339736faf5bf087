/**
 * Carries out backtests, a few instances of one at a time, in the turn of its project. Several processes can run it; each
 * works for an eighth of the time at most, so that instances and requests do not notice. The project whose comparison took
 * the time rests for it, not the others. See `store/backtests/turns.ts`.
 */
import type { Logger } from 'pino';
import { pause, repeat, type Chore } from '../../background/chore.js';
import { comparer, type Compare, type ComparedInstance } from '../../backtests/comparer.js';
import { countProjects, endTurn, itemsToCompare, keepTurn, takeBacktestTurn } from '../../store/backtests/turns.js';
import type { BacktestTurn, ComparedItem, ItemToCompare } from '../../store/backtests/turns.js';
import type { Database } from '../../store/sql/database.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { ProjectRests } from './project-rests.js';

export interface BacktestsOptions {
  store: Database;
  logger: Logger;
  /** Default: in a dedicated thread. */
  compare?: Compare;
}

const EVERY_MS = 1_000;
/** Instances that a turn compares at most, which are read again if the process dies. */
const ITEMS_PER_TURN = 100;
/** After this time of comparisons a turn ends, so that progress is seen and other backtests get theirs. */
const TURN_MS = 250;
const KEEP_EVERY_MS = 4_000;
const TIMEOUT_MS = 60_000;

export function backtests({
  store,
  logger,
  compare = comparer({ name: 'backtests', timeoutMs: TIMEOUT_MS }),
}: BacktestsOptions): Chore {
  const projects = firstTurn();
  const rests = new ProjectRests();
  const outcomeOf = outcomes(store, logger, compare, rests);
  return {
    name: 'backtests',
    every: EVERY_MS,
    prompt: true,
    wait: (milliseconds, stopping) => pause(Math.min(milliseconds, rests.untilFirst()), stopping),
    run: (turn) =>
      repeat(turn, async () => {
        const hasEarlier = projects.after !== '';
        const taken = await takeBacktestTurn(store, projects, rests.resting());
        if (taken) await runTurn(store, taken, outcomeOf, turn.stopping);
        if (rests.areOwed) rests.shareBetween(await countProjects(store));
        return taken !== undefined || hasEarlier;
      }),
  };
}

type OutcomeOf = ReturnType<typeof outcomes>;

/** Outcomes from before it is stopped, or loses the backtest, are written if they still can be. */
async function runTurn(
  store: Database,
  turn: BacktestTurn,
  outcomeOf: OutcomeOf,
  stopping: AbortSignal,
): Promise<void> {
  const kept = keeping(store, turn);
  try {
    const compared = await compareSome(store, turn, outcomeOf, AbortSignal.any([stopping, kept.signal]));
    await endTurn(store, turn, compared);
  } finally {
    kept.stop();
  }
}

async function compareSome(
  store: Database,
  turn: BacktestTurn,
  outcomeOf: OutcomeOf,
  isOver: AbortSignal,
): Promise<ComparedItem[]> {
  const until = performance.now() + TURN_MS;
  const compared: ComparedItem[] = [];
  for (const item of await itemsToCompare(store, turn.backtestID, ITEMS_PER_TURN)) {
    if (isOver.aborted || (compared.length > 0 && performance.now() >= until)) break;
    const one = await outcomeOf(turn, item);
    if (one === undefined) break;
    compared.push(one);
  }
  return compared;
}

/** Keeps the turn while it runs; `signal` is aborted once it is lost, as when the backtest is canceled. */
function keeping(store: Database, turn: BacktestTurn): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    keepTurn(store, turn).then(
      (isKept) => !isKept && lost.abort(),
      // The turn is lost only once another runner has it.
      () => undefined,
    );
  }, KEEP_EVERY_MS);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}

function outcomes(store: Database, logger: Logger, compare: Compare, rests: ProjectRests) {
  /** @returns undefined if the backtest has ended */
  return async (turn: BacktestTurn, item: ItemToCompare): Promise<ComparedItem | undefined> => {
    const { workflowID } = item;
    // A project rests for what it compares, not for how long a thread takes to start.
    await compare.ready();
    const began = performance.now();
    const compared = await compare(store, turn, workflowID).finally(() =>
      rests.charge(turn, performance.now() - began),
    );
    if (compared.kind === 'ended') return undefined;
    if (compared.kind === 'compared') return { ...item, item: rowOf(compared.item), flows: compared.flows };
    const { reason, defect } = compared;
    if (defect !== undefined)
      logger.warn({ backtestID: turn.backtestID, workflowID, error: defect }, 'an instance could not be compared');
    return { ...item, item: rowOf({ workflowID, outcome: 'SKIPPED', reason }), flows: {} };
  };
}

function rowOf({
  workflowID,
  outcome,
  first,
  variables,
  durationMs,
  durationBeforeMs,
  reason,
}: Extract<ComparedInstance, { kind: 'compared' }>['item']): ComparedItem['item'] {
  return {
    workflowID,
    outcome,
    nodeID: first?.nodeID ?? null,
    occurrence: first?.occurrence ?? null,
    expected: first?.expected ? [...first.expected] : null,
    found: first?.found ? [...first.found] : null,
    variables: variables ? [...variables] : null,
    durationMs: durationMs ?? null,
    durationBeforeMs: durationBeforeMs ?? null,
    reason: reason ?? null,
  };
}
