import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pidIfRunning } from '../process-identity.mjs';

const patienceMilliseconds = 5_000;

/** Ends every process that a crash has left running, for all process files in the folder. */
export async function endLeftovers(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const pidFiles = readdirSync(folder).filter((name) => name.endsWith('.pid'));
  await Promise.all(pidFiles.map((name) => endLeftover(join(folder, name))));
}

/** Ends the process whose identity is in the file, if a crash has left it running, and deletes the file. */
export async function endLeftover(pidFile: string): Promise<void> {
  const identity = readIfThere(pidFile);
  if (identity !== undefined) await endProcess(identity);
  rmSync(pidFile, { force: true });
}

async function endProcess(identity: string): Promise<void> {
  const deadline = Date.now() + patienceMilliseconds;
  let signal: NodeJS.Signals = 'SIGTERM';
  for (;;) {
    const pid = pidIfRunning(identity);
    if (pid === undefined) return;
    if (Date.now() > deadline) signal = 'SIGKILL';
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    await sleep(100);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
