/**
 * Unsaved edits, stored in this browser so that they survive a closed tab. They belong to a person, a project, and a
 * file, and end when the edits are saved or discarded, after 30 days, and when a person signs out.
 */
import { inTurn, put, readAll, readKey, remove } from './browser-store.js';
import { isFresh, MAX_COPIES, oldOnes } from './copy-limits.js';

export interface LocalCopy {
  /** See `keyOfCopy`. */
  key: string;
  /** The name of the file. */
  name: string;
  /** The file with the edits. */
  xml: string;
  /** The file as it was read from the host; undefined for one that is new. */
  base: string | undefined;
  /** The entity tag of `base`. */
  tag: string | undefined;
  /** When it was stored, in milliseconds. */
  at: number;
}

/** Of one copy: more than the host takes. */
const MAX_CHARACTERS = 20_000_000;

export function keyOfCopy(subject: string, projectID: string, file: string): string {
  return JSON.stringify([subject, projectID, file]);
}

/** @returns undefined if this browser stored none, or stores nothing */
export function readCopy(key: string, now: number): Promise<LocalCopy | undefined> {
  return inTurn(async () => {
    const copy = await readKey<LocalCopy>('copies', key).catch(() => undefined);
    return copy !== undefined && isFresh(copy, now) ? copy : undefined;
  });
}

/** @returns the copies of a person in a project, by the files that they are of; none if this browser stores nothing */
export function readCopies(subject: string, projectID: string, now: number): Promise<Map<string, LocalCopy>> {
  return inTurn(async () => {
    const found = new Map<string, LocalCopy>();
    for (const copy of await readAll<LocalCopy>('copies').catch(() => [])) {
      const [person, project, file] = JSON.parse(copy.key) as [string, string, string];
      if (person === subject && project === projectID && isFresh(copy, now)) found.set(file, copy);
    }
    return found;
  });
}

/**
 * @param copy undefined if there is nothing to store after all
 * @returns false if this browser does not store it
 */
export function storeCopy(copy: LocalCopy | Promise<LocalCopy | undefined>): Promise<boolean> {
  return inTurn(async () => {
    try {
      const it = await copy;
      return it === undefined || (await store(it));
    } catch {
      return false;
    }
  });
}

export function removeCopy(key: string): Promise<void> {
  return inTurn(() => remove('copies', key));
}

async function store(copy: LocalCopy): Promise<boolean> {
  if (copy.xml.length + (copy.base?.length ?? 0) > MAX_CHARACTERS || !(await put('copies', copy))) return false;
  for (const key of oldOnes(await readAll<LocalCopy>('copies'), MAX_COPIES, copy.at)) await remove('copies', key);
  return true;
}
