/** The caller's `X-Request-Id` if it is safe in logs. It only helps to find a request: the caller can repeat it. */
export function readClientRequestID(header: string | null): string | undefined {
  return header !== null && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(header) ? header : undefined;
}
