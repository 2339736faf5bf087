/**
 * Distinguishes a process from a later one with the same number.
 *
 * Plain JavaScript, because `prepare.mjs` needs it before anything is compiled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * @param {number} pid
 * @returns {string | undefined} `pid@start time`, or undefined when no such process runs
 */
export function processIdentity(pid) {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : `${pid}@${startTime}`;
}

/**
 * @param {string} identity the result of `processIdentity`
 * @returns {number | undefined} the process number while that very process is running
 */
export function pidIfRunning(identity) {
  const pid = Number.parseInt(identity, 10);
  return pid > 0 && processIdentity(pid) === identity.trim() ? pid : undefined;
}

/** @param {number} pid */
function startTimeFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name (field 2) can contain spaces and brackets; the fields after its last bracket cannot.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    return state === 'Z' || state === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function startTimeFromPs(pid) {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .replaceAll(/\s+/g, '_') || undefined
    );
  } catch {
    return undefined;
  }
}
