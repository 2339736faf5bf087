/**
 * Ids that are derived. Those on the wire of rows that belong to an instance are nothing but the instance and a number
 * in it, so they cost no column and no index.
 */
import { createHash } from 'node:crypto';

/** Names a job, a user task or an incident: `<workflowID>:<number>`. */
export function executionKey(workflowID: string, number: number): string {
  return `${workflowID}:${number}`;
}

/** The instance and the number that an execution key names; undefined when it cannot be one. */
export function parseExecutionKey(key: string): { workflowID: string; number: number } | undefined {
  const found = /^(.+):([1-9]\d{0,8})$/.exec(key);
  return found ? { workflowID: found[1]!, number: Number(found[2]) } : undefined;
}

/** A UUID for clients that insist on one; the same for the same row at all times. */
export function rowUUID(workflowID: string, number: number): string {
  return uuidOf(executionKey(workflowID, number));
}

/** A UUID that is the same for the same parts: what is started by it is started once. */
export function derivedUUID(...parts: (string | number)[]): string {
  return uuidOf(parts.join('\0'));
}

function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
