import { createHash } from 'node:crypto';

/** SHA-256 in lowercase hexadecimal: the content address of a graph from its canonical JSON. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
