/** How long a command waits for its effect by default. */
const defaultWaitSeconds = 5;
const maxWaitSeconds = 60;

export const defaultWaitMilliseconds = defaultWaitSeconds * 1000;

/**
 * The wait budget of a request from `Prefer: wait=N` (RFC 7240 section 4.3), in milliseconds. A preference that cannot
 * be parsed is ignored, as section 2 of the RFC requires. A wait longer than 60 seconds is reduced to 60 seconds.
 * @returns undefined if the caller asked for no wait
 */
export function readWaitMilliseconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const match = /(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,6})"?\s*(?:$|[,;])/i.exec(header);
  return match?.[1] === undefined ? undefined : Math.min(Number(match[1]), maxWaitSeconds) * 1000;
}
