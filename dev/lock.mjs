/**
 * A lock between processes that is released when its holder is killed.
 *
 * The holder owns a file `<path>.<generation>` that contains its process identity. When the holder no longer runs, the
 * lock is taken over by creating the next generation, which the file system allows exactly one process to do. Deleting
 * and re-creating the same name would let two processes that saw the same dead holder both succeed.
 *
 * Plain JavaScript, because `prepare.mjs` needs it before anything is compiled.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, linkSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { pidIfRunning, processIdentity } from './process-identity.mjs';

/**
 * @typedef {{ holder: undefined, release: () => void } | { holder: number, release?: undefined }} LockAttempt
 *   `holder` is the number of the process that holds the lock, if it is not this one.
 */

/**
 * Takes the lock, or returns its holder; does not wait.
 *
 * @param {string} path
 * @returns {LockAttempt}
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    const generations = listGenerations(path);
    const newest = generations.at(-1);
    const holder = newest === undefined ? undefined : blockerOf(`${path}.${newest}`);
    if (holder !== undefined) return { holder };
    const mine = (newest ?? 0) + 1;
    if (!createGeneration(path, mine)) continue;
    const file = `${path}.${mine}`;
    if (listGenerations(path).at(-1) !== mine) {
      rmSync(file, { force: true });
      continue;
    }
    for (const dead of generations) rmSync(`${path}.${dead}`, { force: true });
    return { holder: undefined, release: () => rmSync(file, { force: true }) };
  }
}

/**
 * Takes the lock, and waits for its holder.
 *
 * @param {string} path
 * @param {(holder: number) => void} onWait called once, if there is a holder to wait for
 * @returns {Promise<() => void>} releases the lock
 */
export async function lock(path, onWait) {
  let told = false;
  for (;;) {
    const attempt = tryLock(path);
    if (attempt.release) return attempt.release;
    if (!told) onWait(attempt.holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {string} path */
function listGenerations(path) {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((generation) => Number.isSafeInteger(generation) && generation > 0)
    .sort((left, right) => left - right);
}

/** @param {string} file */
function blockerOf(file) {
  try {
    return pidIfRunning(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Creates the file with its content in one step, so that no reader sees it half written.
 *
 * @param {string} path
 * @param {number} generation
 */
function createGeneration(path, generation) {
  const draft = join(dirname(path), `.${basename(path)}-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, processIdentity(process.pid) ?? String(process.pid));
  try {
    linkSync(draft, `${path}.${generation}`);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
