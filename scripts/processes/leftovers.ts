import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pidIfRunning } from '../process-identity.mjs';

const patienceMilliseconds = 5_000;

/** Ends the process whose identity the file holds, if a crash has left it running, and forgets the file. */
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
