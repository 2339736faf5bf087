/** The database of the modeler in this browser. Uses wait for each other, so a reader sees what is being stored. */
import { DATABASE, storesNothing } from './forget.js';

const STORES = ['copies', 'scenarios'] as const;
type StoreName = (typeof STORES)[number];

let last: Promise<unknown> = Promise.resolve();

export function inTurn<Result>(use: () => Promise<Result>): Promise<Result> {
  const result = last.then(use);
  last = result.catch(() => undefined);
  return result;
}

/** @throws if this browser stores nothing */
export function readKey<Value>(name: StoreName, key: string): Promise<Value | undefined> {
  return inStore(name, 'readonly', (store) => store.get(key) as IDBRequest<Value | undefined>);
}

/** @throws if this browser stores nothing */
export function readAll<Value>(name: StoreName): Promise<Value[]> {
  return inStore(name, 'readonly', (store) => store.getAll() as IDBRequest<Value[]>);
}

/**
 * @returns false after a sign-out
 * @throws if this browser stores nothing
 */
export async function put<Value extends { key: string }>(name: StoreName, value: Value): Promise<boolean> {
  if (storesNothing()) return false;
  await inStore(name, 'readwrite', (store) => store.put(value));
  return true;
}

export async function remove(name: StoreName, key: string): Promise<void> {
  await inStore(name, 'readwrite', (store) => store.delete(key)).catch(() => undefined);
}

/** Runs one request. The connection is closed after it, so that another tab can remove the database. */
async function inStore<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(name, mode);
    const result = settled(request(transaction.objectStore(name)));
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
  const opening = indexedDB.open(DATABASE, 2);
  opening.onupgradeneeded = () => {
    const database = opening.result;
    for (const name of STORES)
      if (!database.objectStoreNames.contains(name)) database.createObjectStore(name, { keyPath: 'key' });
  };
  return settled(opening);
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser stored nothing.'));
  });
}
