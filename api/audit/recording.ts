/** Runs the handler of an operation and records its change in the audit log, as the operation declares. */
import { settleEntry, writeEntry, writePendingEntry, type AuditDraft } from '../../store/audit/entries.js';
import { inLazyTransaction } from '../../store/connections/lazy-transaction.js';
import type { HandlerInput, Operation, OperationResult } from '../commands/operation.js';
import type { ApiContext } from '../context.js';
import { isProblem, type Problem } from '../contract/problem.js';
import { withSubjectsOf } from './draft.js';

/** The context is replaced for a transaction. */
type Input = HandlerInput<unknown, unknown, unknown, unknown> & { context: ApiContext };
type Answer = OperationResult | Problem;

export function handleRecorded(operation: Operation, input: Input): Promise<Answer> {
  const { audit } = input;
  if (audit && operation.records === 'transaction') return inTransaction(operation, input, audit);
  if (audit && operation.records === 'beforehand') return beforehand(operation, input, audit);
  return operation.handle(input);
}

/** A problem means that nothing was changed, so it is rolled back without an entry. */
function inTransaction(operation: Operation, input: Input, audit: AuditDraft): Promise<Answer> {
  const { context } = input;
  return inLazyTransaction(
    context.store,
    (store) => {
      input.context = { ...context, store };
      return operation.handle(input);
    },
    async (transaction, answer) => {
      if (isProblem(answer)) return false;
      const projectID = projectOf(input) ?? createdProject(answer);
      if (projectID !== undefined)
        await writeEntry(transaction, projectID, { ...withSubjectsOf(audit, answer.body), ...answer.audit });
      return true;
    },
  );
}

/** After a crash, or without an answer, the entry stays pending: the change may or may not have been made. */
async function beforehand(operation: Operation, input: Input, audit: AuditDraft): Promise<Answer> {
  const { store } = input.context;
  const id = await writePendingEntry(store, projectOf(input)!, audit);
  const answer = await operation.handle(input);
  if (isProblem(answer)) await settleEntry(store, id, 'REJECTED', answer.code);
  else await settleEntry(store, id, 'APPLIED');
  return answer;
}

function projectOf({ params }: Input): string | undefined {
  return (params as { projectID?: string }).projectID;
}

/** The only change outside a project creates one. */
function createdProject({ body }: OperationResult): string | undefined {
  return (body as { id?: string } | undefined)?.id;
}
