/** SQL: a time as RFC 3339 in UTC with milliseconds. */
export function instant(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
