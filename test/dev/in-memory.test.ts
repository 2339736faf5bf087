/** Where the files of a test run are. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeFolder, makeFolderInMemory } from '../../tools/test/in-memory.js';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function noted(folder: string): string {
  made.push(folder);
  return folder;
}

it('a folder for the files of a run lets other accounts pass, because Postgres does not run as root', () => {
  expect(statSync(noted(makeFolder())).mode & 0o777).toBe(0o711);
});

it('files that could take all memory are on the disk', () => {
  expect(dirname(noted(makeFolderInMemory(1_000_000)))).toBe(tmpdir());
});

it.runIf(existsSync('/dev/shm'))('folders in memory of processes that were killed are removed, and no others', () => {
  const running = noted(makeFolder('/dev/shm'));
  // Linux gives no process such a number.
  const killed = noted(join('/dev/shm', 'perdure-test-2147483647-0'));
  mkdirSync(killed);
  if (dirname(noted(makeFolderInMemory(0.001))) !== '/dev/shm') return;
  expect([existsSync(running), existsSync(killed)]).toEqual([true, false]);
});
