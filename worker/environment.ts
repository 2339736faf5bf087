/** The sandbox of workflows takes time zone and locale from the process, and a replay must find what it found before. */

/** Why instances must not be interpreted in this process; undefined when they may. */
export function environmentProblem(): string | undefined {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== 'UTC') return `The time zone of the process must be UTC but is ${timeZone}; set TZ=UTC.`;
  if (locale !== 'en-US') return `The locale of the process must be en-US but is ${locale}; set LC_ALL=C.UTF-8.`;
  return undefined;
}
