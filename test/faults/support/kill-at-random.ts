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
 * Only processes that are at work are killed: on a slow machine, others would never come to it.
 * @param between done between two kills; returns whether enough has happened to end in time
 * @param after done while the last processes run
 * @returns how many were killed before
 */
export async function killAtRandom(
  { script, given, processes, seconds }: Killed,
  between: () => Promise<boolean>,
  after: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const file = join(repositoryRoot, 'test/faults/support', script);
  const start = () => startProcess([file, compiledScript(''), ...given]);
  const running = Array.from({ length: processes }, start);
  const until = Date.now() + seconds * 1_000;
  let kills = 0;
  try {
    for (let isEnough = false; !isEnough || Date.now() < until; kills += 1) {
      await delay(500 + Math.random() * 1_500);
      isEnough = await between();
      const [killed] = running.splice(Math.floor(Math.random() * running.length), 1);
      running.push(start());
      await killed!.isAtWork;
      await kill(killed!);
    }
    await after();
  } finally {
    await Promise.all(running.map(kill));
  }
  return kills;
}

interface Process {
  child: ChildProcess;
  /** Also if it has ended by itself. */
  isAtWork: Promise<unknown>;
}

function startProcess(given: readonly string[]): Process {
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return { child, isAtWork: Promise.race([once(child, 'message'), once(child, 'exit')]) };
}

async function kill({ child }: Process): Promise<void> {
  if (child.exitCode !== null) throw new Error(`${child.spawnargs[1]} exited with ${child.exitCode}.`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}
