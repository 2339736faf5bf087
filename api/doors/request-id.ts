import { randomUUID } from 'node:crypto';

/** The caller's `X-Request-Id` when it is harmless in logs and headers, else a new one. */
export function chooseRequestID(header: string | null): string {
  return header !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(header) ? header : randomUUID();
}
