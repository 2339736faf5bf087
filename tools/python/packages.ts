import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../../dev/lock.mjs';
import { withProgress } from '../../dev/progress.mjs';
import { userCache } from '../../dev/repository.js';

const run = promisify(execFile);

/**
 * The folder of one version of a package from PyPI, with everything that it needs: the PYTHONPATH of `python3`.
 * Installed once into the user's cache with the Python of this machine.
 *
 * @throws Failure when there is no Python 3.10 or later with pip, or the package is unavailable
 */
export async function findPythonPackage(name: string, version: string): Promise<string> {
  const folder = join(userCache(), name, version);
  mkdirSync(dirname(folder), { recursive: true });
  const release = await lock(`${folder}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already installing ${name}; waiting for it\n`);
  });
  try {
    if (!existsSync(folder)) await withProgress(`Installing ${name} (once)`, () => install(name, version, folder));
  } catch (error) {
    throw new Failure(
      `Cannot install ${name}, which needs Python 3.10 or later with pip: ` +
        `${errorMessage(error).trim().split('\n').at(-1)}`,
    );
  } finally {
    release();
  }
  return folder;
}

/** Installs into a plain folder of packages, because a virtual environment cannot be moved to its final name. */
async function install(name: string, version: string, folder: string): Promise<void> {
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', draft, `${name}==${version}`]);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
