import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, Failure } from '../failure.js';
import { lock } from '../lock.mjs';
import { withProgress } from '../progress.mjs';
import { userCache } from '../repository.js';

const version = '4.32.5';
const run = promisify(execFile);

/** How schemathesis is run: a Python, and where its packages are. */
export interface Schemathesis {
  command: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
}

/**
 * Schemathesis from PyPI, installed once into the user's cache with the Python of this machine.
 *
 * @throws Failure when there is no Python 3.10 or later with pip, or the package cannot be had
 */
export async function findSchemathesis(): Promise<Schemathesis> {
  const folder = join(userCache(), 'schemathesis', version);
  const release = await lock(`${folder}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already installing schemathesis; waiting for it.\n`);
  });
  try {
    if (!existsSync(folder)) await withProgress('Installing schemathesis (once)', () => install(folder));
  } catch (error) {
    throw new Failure(`schemathesis cannot be had, which needs Python 3.10 or later with pip: ${describe(error).trim().split('\n').at(-1)}`);
  } finally {
    release();
  }
  return { command: 'python3', arguments: ['-m', 'schemathesis.cli'], environment: { ...process.env, PYTHONPATH: folder } };
}

/** Into a folder of packages rather than a virtual environment, which could not be moved to its final name. */
async function install(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', draft, `schemathesis==${version}`]);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
