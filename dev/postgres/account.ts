import { mkdirSync, readFileSync, statSync, chownSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '@perdure/lib/failure.js';
import type { Account } from '../processes/program.js';

const candidates = ['postgres', 'nobody'];

/** The account that Postgres runs as when this process is root, which Postgres refuses; otherwise undefined. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of candidates) {
    const user = users.find(([userName]) => userName === name);
    if (user !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Failure(
    `Postgres does not run as root, and /etc/passwd has none of the users ${candidates.join(', ')} to run it as. ` +
      'Start as another user, or set DATABASE_URL.',
  );
}

/** Creates a folder that only this account can read. */
export function makePrivateFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

/** Whether the account can traverse every folder above this path. */
export function canReach(account: Account | undefined, path: string): boolean {
  if (account === undefined) return true;
  let folder = dirname(resolve(path));
  for (;;) {
    if (!maySearch(account, statSync(folder))) return false;
    if (folder === dirname(folder)) return true;
    folder = dirname(folder);
  }
}

function maySearch({ uid, gid }: Account, { mode, uid: owner, gid: group }: Stats): boolean {
  if (uid === owner) return (mode & 0o100) !== 0;
  if (gid === group) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
