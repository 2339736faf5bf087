/**
 * Runs whose stored values are gone: the second run after a run removes what that one has stored, and the next one its
 * input, which the run before it has stored (ADR 103). Such a run cannot be replayed and need not be.
 */
import type { temporal } from '@temporalio/proto';

export interface RunOfInstance {
  /** How many runs came after it. */
  followers: number;
  /** With the address of a value that is in Postgres. */
  input: string;
}

/** @param runs of one instance, oldest first */
export function runsOfInstance(runs: readonly temporal.api.history.v1.IHistory[]): RunOfInstance[] {
  return runs.map((run, index) => ({ followers: runs.length - 1 - index, input: inputOf(run) }));
}

/** Whether a replay failed only because a later run has removed what it needs. */
export function missesRemovedValue(
  { message }: Error,
  { followers, input }: RunOfInstance = { followers: 0, input: '' },
): boolean {
  const [, sha256] = /Table stored_payloads has no value ([0-9a-f]{64})/.exec(message) ?? [];
  return sha256 !== undefined && (followers >= 2 || (followers === 1 && input.includes(sha256)));
}

function inputOf({ events }: temporal.api.history.v1.IHistory): string {
  const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join(' ');
}
