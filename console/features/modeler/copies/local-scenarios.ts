/**
 * Scenarios, stored in this browser for the modeler. They belong to a person, a project, and a process, so that they stay
 * when its file is saved or copied. They end like unsaved edits: the last 20 processes, 30 days, sign-out.
 */
import { inTurn, put, readAll, readKey, remove } from './browser-store.js';
import { isFresh, MAX_TESTED, oldOnes } from './copy-limits.js';
import { withScenarios, type KeptScenario } from './scenario-limits.js';

interface Kept {
  key: string;
  scenarios: readonly KeptScenario[];
  /** When it was stored or read last, in milliseconds. */
  at: number;
}

export function keyOfScenarios(subject: string, projectID: string, processID: string): string {
  return JSON.stringify([subject, projectID, processID]);
}

/** Those that are used stay. Empty if this browser stores nothing. */
export function readScenarios(key: string, now: number): Promise<readonly KeptScenario[]> {
  return inTurn(async () => {
    const kept = await readKey<Kept>('scenarios', key).catch(() => undefined);
    if (kept === undefined || !isFresh(kept, now)) return [];
    await put('scenarios', { ...kept, at: now }).catch(() => undefined);
    return kept.scenarios;
  });
}

/**
 * Replaces scenarios of the same file name.
 * @throws Error with a sentence for the user if they are not stored
 */
export function addScenarios(key: string, added: readonly KeptScenario[], now: number): Promise<void> {
  return change(key, now, (scenarios) => withScenarios(scenarios, added));
}

export function removeScenario(key: string, file: string, now: number): Promise<void> {
  return change(key, now, (scenarios) => scenarios.filter((scenario) => scenario.file !== file));
}

function change(
  key: string,
  now: number,
  changed: (scenarios: readonly KeptScenario[]) => readonly KeptScenario[],
): Promise<void> {
  return inTurn(async () => {
    const kept = await readKey<Kept>('scenarios', key);
    const scenarios = changed(kept !== undefined && isFresh(kept, now) ? kept.scenarios : []);
    if (scenarios.length === 0) return remove('scenarios', key);
    if (!(await put('scenarios', { key, scenarios, at: now } satisfies Kept)))
      throw new Error('You have signed out, so the browser stores nothing.');
    for (const old of oldOnes(await readAll<Kept>('scenarios'), MAX_TESTED, now)) await remove('scenarios', old);
  });
}
