import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../../dev/lock.mjs';
import { withProgress } from '../../dev/progress.mjs';
import { userCache } from '../../dev/repository.js';

export interface Installation {
  readonly name: string;
  readonly version: string;
  /** For the error, such as `npm`. */
  readonly needs: string;
  /** @param draft an empty folder, which is renamed afterward */
  install(draft: string): Promise<unknown>;
}

/**
 * The folder of one version of a package in the user's cache. Installed once.
 *
 * @throws Failure when it cannot be installed
 */
export async function installedOnce({ name, version, needs, install }: Installation): Promise<string> {
  const folder = join(userCache(), name, version);
  mkdirSync(dirname(folder), { recursive: true });
  const release = await lock(`${folder}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already installing ${name}; waiting for it\n`);
  });
  try {
    if (!existsSync(folder)) await withProgress(`Installing ${name} (once)`, () => installInto(folder, install));
  } catch (error) {
    throw new Failure(`Cannot install ${name}, which needs ${needs}: ${errorMessage(error).trim().split('\n').at(-1)}`);
  } finally {
    release();
  }
  return folder;
}

async function installInto(folder: string, install: Installation['install']): Promise<void> {
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    await install(draft);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
