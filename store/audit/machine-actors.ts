/** Names under which the host itself acts, in lists of actors that show no type. No token can have them. */

export function hookActor(hookID: string): string {
  return `hook:${hookID}`;
}

/** The callers at a Nexus endpoint. */
export function endpointActor(endpoint: string): string {
  return `nexus:${endpoint}`;
}

/** Connectors, in the history and in lists of jobs. */
export const CONNECTORS = 'perdure:connectors';

const RESERVED = ['hook:', 'nexus:', 'perdure:'];

/** The reserved beginning of a subject, in any case and after blanks; undefined if it has none. */
export function reservedPrefixOf(subject: string): string | undefined {
  const start = subject.trimStart().toLowerCase();
  return RESERVED.find((prefix) => start.startsWith(prefix));
}
