/**
 * Unsaved edits, stored in this browser so that they survive a closed tab. They belong to a person, a project, and a
 * file, and end when the edits are saved or discarded, after 30 days, and when a person signs out.
 */

import { isFresh, oldOnes } from './copy-limits.js';

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

const DATABASE = 'perdure.modeler';
const STORE = 'copies';
/** Of one copy: more than the host takes. */
const MAX_CHARACTERS = 20_000_000;

export function keyOfCopy(subject: string, projectID: string, file: string): string {
  return JSON.stringify([subject, projectID, file]);
}

/** Uses of the storage wait for each other: a file that is opened again shows the edits that are being stored. */
let last: Promise<unknown> = Promise.resolve();
let isForgotten = false;

/** @returns undefined if this browser stored none, or stores nothing */
export function readCopy(key: string, now: number): Promise<LocalCopy | undefined> {
  return inTurn(async () => {
    const copy = await inStore('readonly', (store) => store.get(key) as IDBRequest<LocalCopy | undefined>).catch(
      () => undefined,
    );
    return copy !== undefined && isFresh(copy, now) ? copy : undefined;
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
      return it === undefined || (await put(it));
    } catch {
      return false;
    }
  });
}

export function removeCopy(key: string): Promise<void> {
  return inTurn(() => remove(key));
}

/** Removes the copies of all people: the next one must not find them in this browser. This page stores no more. */
export function forgetCopies(): void {
  isForgotten = true;
  // Without storage there is nothing to remove.
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DATABASE);
}

function inTurn<Result>(use: () => Promise<Result>): Promise<Result> {
  const result = last.then(use);
  last = result.catch(() => undefined);
  return result;
}

async function put(copy: LocalCopy): Promise<boolean> {
  if (isForgotten || copy.xml.length + (copy.base?.length ?? 0) > MAX_CHARACTERS) return false;
  await inStore('readwrite', (store) => store.put(copy));
  await removeOld(copy.at);
  return true;
}

async function remove(key: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(key)).catch(() => undefined);
}

async function removeOld(now: number): Promise<void> {
  const copies = await inStore('readonly', (store) => store.getAll() as IDBRequest<LocalCopy[]>);
  for (const key of oldOnes(copies, now)) await remove(key);
}

/** Runs one request. The connection is closed after it, so that another tab can remove the database. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const result = settled(request(transaction.objectStore(STORE)));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser stored nothing.'));
    });
    return await result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' });
  return settled(opening);
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser stored nothing.'));
  });
}
