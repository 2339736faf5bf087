import { createHash } from 'node:crypto';

/** The fingerprint of a request: a repeated key with an equal fingerprint is a repeated request. */
export function requestFingerprint(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${path}\n${JSON.stringify(withSortedKeys(body))}`)
    .digest('hex');
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, withSortedKeys(member)]));
}
