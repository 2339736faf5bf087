import type { Details } from '../../../../store/audit/details.js';

/** The nodes that a start begins at, for the audit log. */
export function placesOf({
  startAt,
}: {
  readonly startAt?: readonly { readonly nodeID: string }[] | undefined;
}): Details {
  return { startAt: startAt?.map(({ nodeID }) => nodeID) };
}
