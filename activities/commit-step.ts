/**
 * Commits a step and, where that pays, waits for the next command of the instance: the next step then runs within the
 * same workflow task. What a lingering commit has brought is in the history only when that task completes; should the
 * process die before, the store has the steps that were written, and the others' commands are sent again.
 */
import type { Pool } from 'pg';
import type { CommitContext, CommitNews, Park, ParkAnswer } from '../engine/park.js';
import { endLinger, resultsAfter } from '../store/lingers.js';
import { writePark } from '../store/park.js';
import type { Linger, LingerOutcome, Lingers } from './lingers.js';

export interface CommittedStep {
  answer: ParkAnswer;
  /** Brings what comes next; to be called once, after the commit has been noted. */
  news(): Promise<CommitNews>;
}

/** Writes the step; `lingers` is undefined where commits do not wait. */
export async function commitStep(store: Pool, lingers: Lingers | undefined, park: Park, { received, linger: request }: CommitContext): Promise<CommittedStep> {
  const linger = request && lingers?.reserve(park.workflowID, request);
  const startedAt = performance.now();
  try {
    const { answer, commandCount = received } = await writePark(store, park, linger && { worker: lingers!.worker, milliseconds: linger.milliseconds, received });
    if (linger && commandCount <= received && answer.kind === 'accepted' && !answer.repeated) {
      const isSlow = performance.now() - startedAt > lingers!.slowCommitMs;
      const news = async () => ({ ...(await waitForNews(store, lingers!.worker, linger, park.workflowID, received, isSlow)), lingeredMs: Math.ceil(performance.now() - startedAt) });
      return { answer, news };
    }
    linger?.release();
    // Results written since: who wrote them may have relied on a commit that lingered.
    return { answer, news: async () => (commandCount > received ? newsOf(await resultsAfter(store, park.workflowID, received)) : {}) };
  } catch (error) {
    linger?.release();
    throw error;
  }
}

async function waitForNews(store: Pool, worker: string, linger: Linger, workflowID: string, received: number, isSlow: boolean): Promise<CommitNews> {
  let outcome: LingerOutcome | undefined;
  try {
    const ending = isSlow ? { by: 'news' as const } : await linger.wait();
    outcome = ending.by === 'time' ? 'in_vain' : 'ended';
    // The commit of the next step, which follows at once, looks for what comes from here on.
    if (ending.by === 'command' && ending.command.number === received + 1) {
      outcome = 'used';
      return { commands: [ending.command] };
    }
    const last = await endLinger(store, workflowID, worker);
    const commands = last === undefined || last > received ? await resultsAfter(store, workflowID, received) : [];
    if (commands.length > 0) outcome = 'used';
    return newsOf(commands);
  } finally {
    linger.release(isSlow ? undefined : outcome);
  }
}

function newsOf(commands: CommitNews['commands'] & object): CommitNews {
  return commands.length > 0 ? { commands } : {};
}
