/** Refusals of the store: a request that came too late or refers to nothing. A value, never an exception. */
import type { Database, Transaction } from './database.js';

export type RefusalCode =
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'INSTANCE_ENDED'
  | 'LEASE_LOST'
  | 'SUSPENDED'
  | 'DEFINITION_SUSPENDED'
  | 'BUSINESS_ID_TAKEN'
  | 'LIMIT_REACHED'
  | 'PRECONDITION_FAILED';

export interface Refusal<Code extends RefusalCode = RefusalCode> {
  kind: 'refused';
  code: Code;
  message: string;
  details?: Readonly<Record<string, unknown>>;
}

export function refused<Code extends RefusalCode>(
  code: Code,
  message: string,
  details?: Refusal['details'],
): Refusal<Code> {
  return { kind: 'refused', code, message, ...(details && { details }) };
}

/** Runs `work` in one transaction, which is rolled back if the result is a refusal. */
export async function transactUnlessRefused<Result extends { kind: string }>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(async (transaction) => {
      const result = await work(transaction);
      if (result.kind === 'refused') throw new Refused(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Refused) return error.result as Result;
    throw error;
  }
}

/** Rolls the transaction back; never leaves this file. */
class Refused extends Error {
  constructor(readonly result: unknown) {
    super('the request was refused');
  }
}

/** Checks that apply to every request to an instance; undefined if it may proceed. */
export function refusalByInstance(
  workflowID: string,
  instance: { status: string; canceling: boolean } | undefined,
): Refusal<'NOT_FOUND' | 'INSTANCE_ENDED'> | undefined {
  if (!instance) return refused('NOT_FOUND', `There is no instance ${workflowID} in this project`);
  if (instance.status !== 'RUNNING') return refused('INSTANCE_ENDED', `Instance ${workflowID} is ${instance.status}`);
  if (instance.canceling) return refused('INSTANCE_ENDED', `Instance ${workflowID} is being canceled`);
  return undefined;
}

/** The request would move a paused instance. */
export function refusedByPause(workflowID: string): Refusal<'SUSPENDED'> {
  return refused(
    'SUSPENDED',
    `Instance ${workflowID} is suspended, directly, through its definition, or through a parent instance. Retry after it is resumed.`,
  );
}
