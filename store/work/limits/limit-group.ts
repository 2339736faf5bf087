/** Groups of jobs with the same limit key, which are named without the key: it is a value of variables. */
import { createHash } from 'node:crypto';
import type { LimitKey } from '@perdure/engine/behaviors/data/job-options.js';

/** The key as JSON, so that the number 1 differs from the text "1". */
export function limitKeyText(key: LimitKey | undefined): string | null {
  return key === undefined ? null : JSON.stringify(key);
}

/** Null for jobs without a key. */
export function limitGroup(key: LimitKey | undefined): string | null {
  return key === undefined ? null : createHash('sha256').update(JSON.stringify(key)).digest('base64url');
}
