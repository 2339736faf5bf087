import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that contains this product's package.json, whether the code runs from source, from `dist/`, or from the package
 * `@perdure/dev`. */
export const repositoryRoot = findRepositoryRoot();

/**
 * The cache for files that are expensive to make and worth sharing between checkouts: `$XDG_CACHE_HOME/perdure`,
 * otherwise `~/.cache/perdure`.
 */
export function userCache(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment['XDG_CACHE_HOME']) return join(environment['XDG_CACHE_HOME'], 'perdure');
  const home = homedir();
  return home && home !== '/' ? join(home, '.cache', 'perdure') : join(tmpdir(), 'perdure-cache');
}

/** The compiled form of a script of this repository, to be run by another Node process. */
export function compiledScript(path: string): string {
  return join(repositoryRoot, 'dist', path);
}

function findRepositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
