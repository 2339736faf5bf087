/**
 * Derived ids. On the wire, rows of an instance are identified by the instance and a number in it, so their ids need no
 * column and no index.
 */
import { createHash } from 'node:crypto';

/** The id of a job, a user task, a timer, or an incident: `<workflowID>:<number>`. */
export function executionKey(workflowID: string, number: number): string {
  return `${workflowID}:${number}`;
}

/** The instance and the number in an execution key; undefined if it is malformed. */
export function parseExecutionKey(key: string): { workflowID: string; number: number } | undefined {
  const found = /^(.+):([1-9]\d{0,8})$/.exec(key);
  return found ? { workflowID: found[1]!, number: Number(found[2]) } : undefined;
}

/** A UUID for clients that require one; always the same for the same row. */
export function rowUUID(workflowID: string, number: number): string {
  return uuidOf(executionKey(workflowID, number));
}

/** A UUID that is the same for the same parts, so that what it starts is started only once. */
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
