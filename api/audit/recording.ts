/** Runs a change and records it in the audit log, as the operation declares. */
import { settleEntry, writeEntry, writePendingEntry } from '../../store/audit/entries.js';
import { inLazyTransaction } from '../../store/connections/lazy-transaction.js';
import type { Database } from '../../store/sql/database.js';
import type { HandlerInput, Operation, OperationResult } from '../commands/operation.js';
import type { ApiContext } from '../context.js';
import { isProblem, type Problem } from '../contract/problem.js';
import { completed } from './draft.js';

type AnyInput = HandlerInput<unknown, unknown, unknown, unknown>;
/** The part of a handler input that is recorded. */
export type Audited = Pick<AnyInput, 'params' | 'audit' | 'context'>;
type Answer = OperationResult | Problem;

/** Runs the handler. The context of `input` is replaced for a transaction. */
export function handleRecorded(operation: Operation, input: AnyInput & { context: ApiContext }): Promise<Answer> {
  if (operation.records?.entry !== 'around' || !input.audit) return operation.handle(input);
  const { context } = input;
  return recorded(input, (store) => {
    input.context = { ...context, store };
    return operation.handle(input);
  });
}

/**
 * Runs `change` in one transaction, which begins with its first statement, and writes the entry in it. A problem means that
 * nothing was changed, so it is rolled back without an entry. A dry run has no entry.
 */
export function recorded<Result extends Answer>(
  { params, audit, context }: Audited,
  change: (store: Database) => Promise<Result>,
): Promise<Result> {
  if (!audit) return change(context.store);
  return inLazyTransaction(context.store, change, async (transaction, result) => {
    const answer: Answer = result;
    if (isProblem(answer)) return false;
    const projectID = projectOf(params) ?? createdProject(answer);
    if (projectID !== undefined) await writeEntry(transaction, projectID, completed(audit, answer.body, answer.audit));
    return true;
  });
}

/**
 * Writes the entry, then runs a change outside the database, then writes its outcome. After a crash, or without an answer,
 * the entry stays pending: the change may or may not have been made.
 */
export async function recordedBeforehand<Result extends Answer>(
  { params, audit, context: { store } }: Audited,
  change: () => Promise<Result>,
): Promise<Result> {
  if (!audit) return change();
  const id = await writePendingEntry(store, projectOf(params)!, audit);
  const answer = await change();
  if (isProblem(answer)) await settleEntry(store, id, 'REJECTED', { code: answer.code });
  else await settleEntry(store, id, 'APPLIED', { details: answer.audit?.details });
  return answer;
}

function projectOf(params: unknown): string | undefined {
  return (params as { projectID?: string }).projectID;
}

/** The only change outside a project creates one. */
function createdProject({ body }: OperationResult): string | undefined {
  return (body as { id?: string } | undefined)?.id;
}
