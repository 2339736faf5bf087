/**
 * The workflow sandbox takes time zone and locale from the process, and a replay must produce the same results as the
 * original run.
 */

/** The reason why instances must not be interpreted in this process, or undefined. */
export function environmentProblem(): string | undefined {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== 'UTC') return `The time zone of the process must be UTC, but is ${timeZone}. Set TZ=UTC.`;
  if (locale !== 'en-US') return `The locale of the process must be en-US, but is ${locale}. Set LC_ALL=C.UTF-8.`;
  return undefined;
}
