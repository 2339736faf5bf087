/** Shares of projects in the places of a connector. */

/** Tasks that a connector performs at a time. */
export const MAX_JOBS_AT_ONCE = 64;

/**
 * A project may use a quarter of the places that others leave, and at least one: the first whose service hangs gets 16,
 * the next 12, 9, 6, and so on, so it takes fifteen such projects to use up all places. As their tasks time out, the shares
 * even out. With a fixed number per project, four of them would occupy the connector.
 *
 * @param ofOthers the places that other projects use
 */
export function maxOfProject(ofOthers: number): number {
  return Math.max(1, Math.floor((MAX_JOBS_AT_ONCE - ofOthers) / 4));
}
