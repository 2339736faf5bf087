/** Notices changes of files. */
import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WrongUse } from '../wrong-use.js';

/** Editors write a file in several steps. */
const SETTLING_MS = 100;

/**
 * Calls `changed` with all files at once, then with those that may have changed, one call after another, until the
 * signal aborts.
 *
 * @throws WrongUse when the folder of a file cannot be watched
 */
export async function watchFiles(
  files: readonly string[],
  changed: (files: readonly string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const pending = new Set(files);
  let wake = () => {};
  const notice = (file: string) => {
    pending.add(file);
    wake();
  };
  const watchers = watchFolders(files, notice);
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const batch = [...pending];
      pending.clear();
      await changed(batch);
      if (pending.size === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      await delay(SETTLING_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Watches the folders, because a watch on a file ends when an editor replaces it. */
function watchFolders(files: readonly string[], notice: (file: string) => void): FSWatcher[] {
  const watchers: FSWatcher[] = [];
  try {
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      const inside = files.filter((file) => dirname(file) === folder);
      const noticeAll = () => inside.forEach(notice);
      const watcher = watch(folder, (_event, name) => {
        // Some platforms do not say which file it was.
        if (name === null) noticeAll();
        else inside.filter((file) => basename(file) === name).forEach(notice);
      });
      // Without its folder, reading a file fails with a message.
      watchers.push(watcher.on('error', noticeAll));
    }
  } catch (error) {
    for (const watcher of watchers) watcher.close();
    throw new WrongUse(`Cannot watch the files: ${(error as Error).message}`);
  }
  return watchers;
}
