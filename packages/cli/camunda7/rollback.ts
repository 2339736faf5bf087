/** Takes a move back: cancels what has not moved since, and resumes its source. */
import type { MoveLog } from './log.js';
import { resumeSource } from './move.js';
import type { SourceRest } from './rest.js';
import type { Target } from './target.js';

export type RolledBack =
  | { id: string; workflowID: string; kind: 'takenBack' }
  /** Left alone, with what it did since. Its source stays suspended. */
  | { id: string; workflowID: string; kind: 'kept'; facts: readonly string[] };

/** Instances of the log that are imported and not taken back. */
export function toRollBack(log: MoveLog): string[] {
  return [...log.all()].filter(([, { imported, isTakenBack }]) => imported && !isTakenBack).map(([id]) => id);
}

export async function rollBackOne(rest: SourceRest, target: Target, log: MoveLog, id: string): Promise<RolledBack> {
  const { imported, isTakingBack } = log.of(id);
  const { workflowID } = imported!;
  log.write({ id, event: 'takingBack' });
  const result = await target.takeBack(workflowID);
  // A rollback that was killed has canceled it.
  const isCanceled =
    result.kind === 'canceled' || (isTakingBack && result.kind === 'ended' && result.status === 'CANCELED');
  if (isCanceled) {
    await resumeSource(rest, log, id);
    log.write({ id, event: 'takenBack' });
    return { id, workflowID, kind: 'takenBack' };
  }
  const facts = result.kind === 'erased' ? ['erased'] : await target.factsSince(workflowID);
  log.write({ id, event: 'kept', reason: result.kind });
  return { id, workflowID, kind: 'kept', facts };
}
