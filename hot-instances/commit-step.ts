/**
 * Commits a step and, if it pays, waits for the next command of the instance. The next step then runs within the same
 * workflow task. The commands that a lingering commit returns enter the history only when that task completes. If the
 * process dies before, the committed steps are in the store, and the outbox relay sends the remaining commands again.
 */
import type { CommitContext, CommitNews, StepCommit, CommitResult } from '@perdure/engine/contract/step-commit.js';
import { isPermanent, refusalReason } from '../store/sql/permanence.js';
import { clearLinger, endLinger } from '../store/hot-instances/linger-mark.js';
import { commandsAfter } from '../store/hot-instances/unread-commands.js';
import { writeStepCommit } from '../store/steps/step-commit.js';
import type { Linger, LingerOutcome } from './linger.js';
import type { Lingers } from './lingers.js';
import type { Database } from '../store/sql/database.js';

export interface CommittedStep {
  answer: CommitResult;
  /** Waits for the next commands. Must be called once, after the commit has been recorded. */
  news(): Promise<CommitNews>;
}

/** A step whose content the database refuses. */
export interface UnstorableCommit {
  workflowID: string;
  step: number;
  reason: string;
}

/**
 * Commits the step; `lingers` is undefined if commits do not wait. A step whose content the database refuses for good is
 * answered with `unstorable`.
 */
export async function commitStep(
  store: Database,
  lingers: Lingers | undefined,
  commit: StepCommit,
  { received, linger: request }: CommitContext,
  onUnstorable?: (refused: UnstorableCommit) => void,
): Promise<CommittedStep> {
  const linger = request && lingers?.reserve(commit.workflowID, request);
  const startedAt = performance.now();
  try {
    const {
      answer,
      commandCount = received,
      result,
    } = await writeStepCommit(
      store,
      commit,
      received,
      linger && { worker: lingers!.worker, milliseconds: linger.milliseconds },
    );
    lingers?.committed(commit, result);
    if (linger && commandCount <= received && answer.kind === 'accepted' && !answer.repeated) {
      const isSlow = performance.now() - startedAt > lingers!.slowCommitMs;
      if (!isSlow) linger.begin(received);
      const news = async () => ({
        ...(await waitForNews(store, lingers!.worker, linger, commit.workflowID, received, isSlow)),
        lingeredMs: Math.ceil(performance.now() - startedAt),
      });
      return { answer, news };
    }
    linger?.release();
    const isWritten = answer.kind === 'accepted' && !answer.repeated;
    const known = answer.kind === 'withdrawn' ? commit.result!.number - 1 : received;
    return {
      answer,
      news: () => unreadCommands(store, commit.workflowID, { known, commandCount, clear: !isWritten }),
    };
  } catch (error) {
    linger?.release();
    if (!isPermanent(error)) throw error;
    onUnstorable?.({ workflowID: commit.workflowID, step: commit.number, reason: refusalReason(error) });
    // Without the result, the API writes it as any other command, and the step that handles it is judged alone.
    const { result, workflowID } = commit;
    const known = result ? result.number - 1 : received;
    return {
      answer: result ? { kind: 'withdrawn' } : { kind: 'unstorable', message: refusalReason(error) },
      news: () => unreadCommands(store, workflowID, { known, commandCount: Infinity, clear: true }),
    };
  }
}

async function waitForNews(
  store: Database,
  worker: string,
  linger: Linger,
  workflowID: string,
  received: number,
  isSlow: boolean,
): Promise<CommitNews> {
  let outcome: LingerOutcome | undefined;
  try {
    const ending = isSlow ? { by: 'news' as const } : await linger.wait();
    outcome = ending.by === 'time' ? 'in_vain' : 'ended';
    // The next step is committed immediately. Its commit finds all later commands.
    if (ending.by === 'command' && ending.command.number === received + 1) {
      outcome = 'used';
      return { commands: [ending.command] };
    }
    const last = await endLinger(store, workflowID, worker);
    const commands = last === undefined || last > received ? await commandsAfter(store, workflowID, received) : [];
    if (commands.length > 0) outcome = 'used';
    return newsOf(commands);
  } finally {
    linger.release(isSlow ? undefined : outcome);
  }
}

interface Unread {
  /** Number of the last command that the instance knows. */
  known: number;
  /** Number of the last command when the commit had locked the instance; infinite if it is not known. */
  commandCount: number;
  /** The row may have the mark of an earlier commit, which keeps commands from being signaled. */
  clear: boolean;
}

/** Commands that the instance has not read are signaled only if they are the first. */
async function unreadCommands(
  store: Database,
  workflowID: string,
  { known, commandCount, clear }: Unread,
): Promise<CommitNews> {
  const last = (clear ? await clearLinger(store, workflowID) : undefined) ?? commandCount;
  return last > known ? newsOf(await commandsAfter(store, workflowID, known)) : {};
}

function newsOf(commands: CommitNews['commands'] & object): CommitNews {
  return commands.length > 0 ? { commands } : {};
}
