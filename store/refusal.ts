/**
 * What the store does not do, and why: a request that came too late or names nothing. A value, never an exception.
 */
export type RefusalCode =
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'INSTANCE_ENDED'
  | 'LEASE_LOST'
  | 'SUSPENDED'
  | 'DEFINITION_SUSPENDED';

export interface Refusal<Code extends RefusalCode = RefusalCode> {
  kind: 'refused';
  code: Code;
  message: string;
}

export function refused<Code extends RefusalCode>(code: Code, message: string): Refusal<Code> {
  return { kind: 'refused', code, message };
}

/** What stands in the way of anything asked of an instance; undefined when nothing does. */
export function refusalByInstance(
  workflowID: string,
  instance: { status: string; canceling: boolean } | undefined,
): Refusal<'NOT_FOUND' | 'INSTANCE_ENDED'> | undefined {
  if (!instance) return refused('NOT_FOUND', `There is no instance ${workflowID} in this project`);
  if (instance.status !== 'RUNNING') return refused('INSTANCE_ENDED', `The instance ${workflowID} is ${instance.status}`);
  if (instance.canceling) return refused('INSTANCE_ENDED', `The instance ${workflowID} is being canceled`);
  return undefined;
}

/** What is asked would move a paused instance. */
export function refusedByPause(workflowID: string): Refusal<'SUSPENDED'> {
  return refused('SUSPENDED', `The instance ${workflowID} is suspended, by itself, by its definition or from above; ask again after it is resumed`);
}
