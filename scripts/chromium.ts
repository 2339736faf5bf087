/** The browser that drives the console in the tests: one of the system, or Debian's, installed when that is allowed. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { withProgress } from './progress.mjs';

const run = promisify(execFile);
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium: the one that `CHROMIUM` names, else the first on the PATH. Undefined when there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (environment['CHROMIUM']) return environment['CHROMIUM'];
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Installs the package where there is no browser, as root on a Debian. Whoever needs one is told when there is still none. */
export async function ensureChromium(): Promise<void> {
  if (findChromium() !== undefined || process.getuid?.() !== 0) return;
  const aptGet = (...arguments_: string[]) => run('apt-get', ['-qq', ...arguments_], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  try {
    await withProgress('Installing Chromium for the tests of the console (about a minute)', async () => {
      await aptGet('update');
      await aptGet('install', '--yes', '--no-install-recommends', 'chromium');
    });
  } catch {
    // No Debian, or no network: the tests say that they were left out.
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
