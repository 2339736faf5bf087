/**
 * The subject of a play: a deployed version, a draft, a file as it is in the modeler (by the id that its address there has), or
 * an instance at a position of its replay or at its first difference in a backtest.
 */
export type PlayAddress =
  | { version: string }
  | { resource: string }
  | { edited: string }
  | { instance: string; at: string }
  | { backtest: string; instance: string };

/** The page that plays a process. */
export function playOf(projectID: string, subject: PlayAddress): string {
  return `/projects/${encodeURIComponent(projectID)}/play?${new URLSearchParams(subject)}`;
}
