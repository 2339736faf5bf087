import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { pidIfRunning, processIdentity } from '../../dev/process-identity.mjs';

/** The identities of a process and of everything it has started, directly or not. */
export function familyOf(pid: number): string[] {
  const parents = listParents();
  const family = [pid];
  for (const member of family)
    family.push(...[...parents].filter(([, parent]) => parent === member).map(([child]) => child));
  return family.flatMap((member) => processIdentity(member) ?? []);
}

/** Those of them that still run. */
export function survivors(family: string[]): string[] {
  return family
    .filter((identity) => pidIfRunning(identity) !== undefined)
    .map((identity) => `${identity} ${commandLine(Number.parseInt(identity, 10))}`);
}

/** Waits until none of them runs. */
export async function untilGone(family: string[]): Promise<void> {
  await vi.waitFor(
    () => {
      const left = survivors(family);
      if (left.length > 0) throw new Error(`still running: ${left.join('; ')}`);
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Ends every one of them at once, as a machine does that runs out of memory. */
export function killAll(family: string[]): void {
  for (const identity of family) {
    const pid = pidIfRunning(identity);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
}

function listParents(): Map<number, number> {
  if (process.platform !== 'linux') return parentsFromPs();
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return new Map(pids.map((pid) => [pid, parentFromProc(pid)]));
}

function parentFromProc(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function parentsFromPs(): Map<number, number> {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120);
  } catch {
    return '';
  }
}
