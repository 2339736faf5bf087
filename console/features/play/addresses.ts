/** The subject of a play: a deployed version, a draft, or an instance at a position of its replay. */
export type PlayAddress = { version: string } | { resource: string } | { instance: string; at: string };

/** The page that plays a process. */
export function playOf(projectID: string, subject: PlayAddress): string {
  return `/projects/${encodeURIComponent(projectID)}/play?${new URLSearchParams(subject)}`;
}
