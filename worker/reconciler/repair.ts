/** Ending lost instances in their rows. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { Database } from '../../store/sql/database.js';
import { cancelWithoutWorkflow, failInstance } from '../../store/steps/fail-instance.js';
import { failable, findLost, type Lost } from './judge.js';

interface Repair {
  store: Database;
  client: Client;
  logger: Logger;
}

/**
 * Ends lost instances in their rows.
 * @returns why some were left unchanged, or undefined
 * @throws after all were tried, if some could not be ended
 */
export async function endLost(repair: Repair, lost: readonly Lost[]): Promise<string | undefined> {
  if (lost.length === 0) return undefined;
  const due = await failable(repair.store, repair.client, lost);
  let failed = 0;
  for (const one of due) if (!(await tryEnd(repair, one))) failed += 1;
  if (failed > 0) throw new Error(`${failed} of ${due.length} lost instances could not be ended; see the log`);
  if (due.length === lost.length) return undefined;
  const problem = `${lost.length} running instances have a workflow that was closed from outside, for example ${lost[0]!.workflowID}. Because there are this many, the host waits an hour before it fails them, and does so only if Temporal knows the newest instances. To keep them, run resync before that. Cancel the instances that should end.`;
  repair.logger.error({ lost: lost.length, left: lost.length - due.length }, problem);
  return problem;
}

/** One that cannot be ended does not stop the others. */
async function tryEnd({ store, client, logger }: Repair, { workflowID, reason }: Lost): Promise<boolean> {
  const isLost = async () => (await findLost(client, workflowID)) !== undefined;
  try {
    if (await cancelWithoutWorkflow(store, workflowID, isLost))
      logger.info({ workflowID }, 'instance canceled: its workflow was closed from outside before');
    else if (await failInstance(store, workflowID, reason, isLost))
      logger.warn({ workflowID }, `instance failed: ${reason}`);
    return true;
  } catch (error) {
    logger.warn({ workflowID, error: errorMessage(error) }, 'ending a lost instance failed; retrying');
    return false;
  }
}
