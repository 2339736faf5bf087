/** Notices changes of files. */
import { watch, type FSWatcher } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { WrongUse } from '../wrong-use.js';

/** Editors write a file in several steps. */
const SETTLING_MS = 100;

/**
 * Calls `changed` at once, and again after something in the folders that it returned has changed, one call after another,
 * until the signal aborts.
 *
 * @throws WrongUse when one of the first folders cannot be watched
 */
export async function watchFolders(changed: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let isChanged = false;
  let wake = () => {};
  const notice = () => {
    isChanged = true;
    wake();
  };
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      isChanged = false;
      // Another look notices changes in a new folder before its watch began.
      if (watchAlso(watchers, await changed(), notice, isFirst)) continue;
      if (!isChanged && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      await delay(SETTLING_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const watcher of watchers.values()) watcher.close();
  }
}

/**
 * Watches folders, because a watch on a file ends when an editor replaces it. Ends the watches on other folders.
 * @returns whether there is a new one
 */
function watchAlso(
  watchers: Map<string, FSWatcher>,
  folders: ReadonlySet<string>,
  notice: () => void,
  isFirst: boolean,
): boolean {
  for (const [folder, watcher] of watchers)
    if (!folders.has(folder)) {
      watcher.close();
      watchers.delete(folder);
    }
  let hasNew = false;
  for (const folder of folders) {
    if (watchers.has(folder)) continue;
    try {
      const watcher = watch(folder, notice);
      // Without its folder, reading a file fails with a message.
      watchers.set(folder, watcher.on('error', notice));
      hasNew = true;
    } catch (error) {
      if (isFirst) throw new WrongUse(`Cannot watch the files: ${(error as Error).message}`);
    }
  }
  return hasNew;
}
