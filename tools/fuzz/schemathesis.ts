import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../../dev/lock.mjs';
import { withProgress } from '../../dev/progress.mjs';
import { userCache } from '../../dev/repository.js';

const version = '4.32.5';
const run = promisify(execFile);

/** How to run schemathesis: a Python and the folder with its packages. */
export interface Schemathesis {
  command: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
}

/**
 * Schemathesis from PyPI, installed once into the user's cache with the Python of this machine.
 *
 * @throws Failure when there is no Python 3.10 or later with pip, or the package is unavailable
 */
export async function findSchemathesis(): Promise<Schemathesis> {
  const folder = join(userCache(), 'schemathesis', version);
  const release = await lock(`${folder}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already installing schemathesis; waiting for it\n`);
  });
  try {
    if (!existsSync(folder)) await withProgress('Installing schemathesis (once)', () => install(folder));
  } catch (error) {
    throw new Failure(
      `Cannot install schemathesis, which needs Python 3.10 or later with pip: ${errorMessage(error).trim().split('\n').at(-1)}`,
    );
  } finally {
    release();
  }
  return {
    command: 'python3',
    arguments: ['-m', 'schemathesis.cli'],
    environment: { ...process.env, PYTHONPATH: folder },
  };
}

/** Installs into a plain folder of packages, because a virtual environment cannot be moved to its final name. */
async function install(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    await run('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-compile',
      '--target',
      draft,
      `schemathesis==${version}`,
    ]);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
