/** The wire format of the store's values. */

/** RFC 3339 in UTC. */
export function time(date: Date): string {
  return date.toISOString();
}

export function optionalTime(date: Date | null | undefined): string | undefined {
  return date?.toISOString();
}

/** Null in the store is an absent member on the wire. */
export function optional<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}

/** The `suspensionMembers` of a row. */
export function toSuspension(row: {
  readonly suspendedAt: Date | null;
  readonly suspendedBy: string | null;
  readonly suspendReason: string | null;
}) {
  return {
    suspendedAt: optionalTime(row.suspendedAt),
    suspendedBy: optional(row.suspendedBy),
    suspendReason: optional(row.suspendReason),
  };
}

/** A timestamp of a request, which the request pipeline has validated. */
export function dateOf(timestamp: string | undefined): Date | undefined {
  return timestamp === undefined ? undefined : new Date(timestamp);
}

/** Like `dateOf`, but keeps a null, which removes a value. */
export function optionalDate(timestamp: string | null | undefined): Date | null | undefined {
  return timestamp === null ? null : dateOf(timestamp);
}
