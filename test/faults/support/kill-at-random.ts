/** Processes of a script that are killed at random, each replaced by another one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compiledScript, repositoryRoot } from '../../../dev/repository.js';

export interface Killed {
  /** A file of this folder. It gets the folder of the compiled product before its other arguments. */
  script: string;
  given: readonly string[];
  processes: number;
  seconds: number;
}

/**
 * @param between done between two kills
 * @param after done while the last processes run
 * @returns how many were killed before
 */
export async function killAtRandom(
  { script, given, processes, seconds }: Killed,
  between: () => Promise<void>,
  after: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const file = join(repositoryRoot, 'test/faults/support', script);
  const start = () =>
    spawn(process.execPath, [file, compiledScript(''), ...given], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const running = Array.from({ length: processes }, start);
  const until = Date.now() + seconds * 1_000;
  let kills = 0;
  try {
    while (Date.now() < until) {
      await delay(500 + Math.random() * 1_500);
      await between();
      const [killed] = running.splice(Math.floor(Math.random() * running.length), 1);
      await kill(killed!);
      running.push(start());
      kills += 1;
    }
    await after();
  } finally {
    await Promise.all(running.map(kill));
  }
  return kills;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`${child.spawnargs[1]} exited with ${child.exitCode}.`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}
