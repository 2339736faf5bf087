/**
 * Temporary files of tests in memory. Each test file has a database, which consists of hundreds of files: on a disk,
 * creating and dropping it takes ten times the CPU time, and a second while other tests use the disk.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const GIB = 1024 ** 3;
/** Only Linux has it. */
const MEMORY = '/dev/shm';
const NAME = /^perdure-test-(\d+)-/;

/**
 * A new folder in memory, or where temporary files usually are if memory is short. If this process is killed, the next one
 * that makes a folder removes it.
 * @param gibibytes that its files may take
 */
export function makeFolderInMemory(gibibytes: number): string {
  const isInMemory = hasRoom(gibibytes * GIB);
  if (isInMemory) removeLeftovers();
  return makeFolder(isInMemory ? MEMORY : tmpdir());
}

/** Named after this process. Other accounts can pass through it: Postgres does not run as root. */
export function makeFolder(base = tmpdir()): string {
  const folder = join(base, `perdure-test-${process.pid}-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder);
  chmodSync(folder, 0o711);
  return folder;
}

/** The processes of the tests need at least as much memory as their files. */
function hasRoom(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= bytes && freemem() >= 2 * bytes;
  } catch {
    return false;
  }
}

function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signaled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
