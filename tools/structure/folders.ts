/** Folders by the number of their source files. */
import { dirname } from 'node:path';

/** A folder with more siblings than this is hard to survey. */
export const MAX_SIBLINGS = 15;

/** Folders whose files are all of one kind, found by name: they may have more siblings. */
const ofOneKind = [
  /^api\/operations\/[^/]+$/,
  /^packages\/engine\/elements$/,
  /^packages\/feel\/builtins$/,
  /^test(\/|$)/,
];

export interface Folder {
  path: string;
  files: number;
}

/** Folders of mixed kinds with more than `MAX_SIBLINGS` source files. */
export function crowdedFolders(files: readonly string[]): Folder[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([path, count]) => count > MAX_SIBLINGS && !ofOneKind.some((kind) => kind.test(path)))
    .map(([path, count]) => ({ path, files: count }));
}
