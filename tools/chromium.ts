/** The browser for console tests: one that is installed, or Debian's, which is installed where that is allowed. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { withProgress } from '../dev/progress.mjs';

const run = promisify(execFile);
/** The shell first: a Chromium without a window still computes the window, which took a fifth of the time of a screen. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The path of a Chromium: the one that `CHROMIUM` names, otherwise the first on the PATH. Undefined if none is
 * installed.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (environment['CHROMIUM']) return environment['CHROMIUM'];
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/**
 * Installs the package if there is no browser, as root on Debian. Tests that need a browser report when there is still
 * none.
 */
export async function ensureChromium(): Promise<void> {
  if (findChromium() !== undefined || process.getuid?.() !== 0) return;
  const aptGet = (...arguments_: string[]) =>
    run('apt-get', ['-qq', ...arguments_], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  try {
    await withProgress('Installing Chromium for the tests of the console (about a minute)', async () => {
      await aptGet('update');
      await aptGet('install', '--yes', '--no-install-recommends', 'chromium-headless-shell');
    });
  } catch {
    // Not Debian, or no network: the tests report that they are skipped.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
