/** Refusals of the store: a request that came too late or refers to nothing. A value, never an exception. */
export type RefusalCode =
  'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'LEASE_LOST' | 'SUSPENDED' | 'DEFINITION_SUSPENDED';

export interface Refusal<Code extends RefusalCode = RefusalCode> {
  kind: 'refused';
  code: Code;
  message: string;
}

export function refused<Code extends RefusalCode>(code: Code, message: string): Refusal<Code> {
  return { kind: 'refused', code, message };
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
