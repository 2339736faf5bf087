import { randomUUID } from 'node:crypto';

/** The caller's `X-Request-Id` if it is safe in logs and headers, otherwise a new id. */
export function chooseRequestID(header: string | null): string {
  return header !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(header) ? header : randomUUID();
}
