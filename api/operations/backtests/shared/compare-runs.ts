/** The runs of one instance of a backtest. One instance at a time is read and compared in this process. */
import type { Turns } from '@perdure/lib/fair-turns.js';
import { comparer, type ComparedInstance } from '../../../../backtests/comparer.js';
import type { Wanted } from '../../../../backtests/compare.js';
import type { BacktestedVersion } from '../../../../store/backtests/backtests.js';
import type { Database } from '../../../../store/sql/database.js';

/** Shorter than in the background, because others wait for the thread. */
const TIMEOUT_MS = 10_000;
const KIND = { name: 'compare runs', size: 1 };

const compare = comparer({ ...KIND, timeoutMs: TIMEOUT_MS });

/**
 * The turn begins before the history is read, because a history takes up to 100 MB: those that wait hold nothing.
 * @throws TurnRefused, TurnCanceled
 */
export async function compareRuns(
  store: Database,
  version: BacktestedVersion,
  workflowID: string,
  wanted: Wanted,
  turns: Turns,
): Promise<ComparedInstance> {
  const turn = await turns.take(KIND, 0);
  const held: Turns = { take: () => Promise.resolve({ signal: turn.signal, end: () => {} }) };
  try {
    return await compare(store, version, workflowID, wanted, held);
  } finally {
    turn.end();
  }
}
