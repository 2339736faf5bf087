/** How long a command waits for its effect by default (`api.md` rules: the wait budget). */
export const defaultWaitSeconds = 5;
const longestWaitSeconds = 60;

/**
 * The wait budget of a request from `Prefer: wait=N` (RFC 7240 section 4.3), in milliseconds. A preference that cannot
 * be parsed is ignored, as section 2 of the RFC requires. A wait longer than 60 seconds is reduced to 60 seconds.
 */
export function readWaitMilliseconds(header: string | null): number {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,6})"?\s*(?:$|[,;])/i.exec(header ?? '');
  const seconds = match?.[1] === undefined ? defaultWaitSeconds : Math.min(Number(match[1]), longestWaitSeconds);
  return seconds * 1000;
}
