/** Canceling a backtest. Once it is committed, no further instance gets an outcome. */
import { firstRow, type Database } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';
import type { BacktestStatus } from './backtests.js';

export async function cancelBacktest(
  database: Database,
  { projectID, backtestID }: { projectID: string; backtestID: string },
): Promise<{ kind: 'done' } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    const backtest = await firstRow<{ status: BacktestStatus }>(
      transaction,
      'SELECT status FROM backtests WHERE project_id = $1 AND id = $2 FOR UPDATE',
      [projectID, backtestID],
    );
    if (!backtest) return refused('NOT_FOUND', `There is no backtest ${backtestID} in this project`);
    if (backtest.status === 'COMPLETED') return refused('CONFLICT', `Backtest ${backtestID} has completed`);
    if (backtest.status === 'RUNNING')
      await transaction.query(
        "UPDATE backtests SET status = 'CANCELED', completed_at = now(), lease = NULL WHERE id = $1",
        [backtestID],
      );
    return { kind: 'done' };
  });
}
