/**
 * Saved profiles: one file for each, readable only by the user, in `$XDG_CONFIG_HOME/perdure/profiles` (default:
 * `~/.config`). The file `current` next to the folder has the name of the profile in use.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Credentials, Environment } from './credentials.js';
import { isPrivate } from './private-file.js';
import { WrongUse } from '../wrong-use.js';

export type Profile = { api: string; projectID: string } & Credentials;

/** The profile in use when none of the saved ones is: the host that npm start runs in the checkout. */
export const development = 'development';

/** @throws WrongUse when the name cannot be that of a saved profile */
export function saveProfile(environment: Environment, name: string, profile: Profile): void {
  if (name === development)
    throw new WrongUse(`Profile ${development} belongs to npm start. Choose another name, such as production.`);
  writePrivately(profileFile(environment, name), `${JSON.stringify(profile, undefined, 2)}\n`);
}

/** @throws WrongUse when the profile does not exist or cannot be trusted */
export function readProfile(environment: Environment, name: string): Profile {
  const file = profileFile(environment, name);
  if (!existsSync(file))
    throw new WrongUse(
      `There is no profile ${JSON.stringify(name)}. Run perdure profile list, or save it with perdure profile add.`,
    );
  if (!isPrivate(file)) throw new WrongUse(`${file} must belong to you and be readable only by you. Run chmod 600.`);
  const profile = parseProfile(readFileSync(file, 'utf8'));
  if (profile === undefined) throw new WrongUse(`${file} is damaged. Save it again with perdure profile add.`);
  return profile;
}

/** The names of the saved profiles, in alphabetical order. */
export function listProfiles(environment: Environment): string[] {
  const folder = findFolder(environment);
  if (folder === undefined || !existsSync(join(folder, 'profiles'))) return [];
  return readdirSync(join(folder, 'profiles'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}

/** The name of the saved profile in use, or undefined. */
export function profileInUse(environment: Environment): string | undefined {
  const folder = findFolder(environment);
  const file = folder === undefined ? undefined : join(folder, 'current');
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined;
}

/** @throws WrongUse when the profile does not exist */
export function useProfile(environment: Environment, name: string): void {
  const file = join(folderOf(environment), 'current');
  if (name === development) return rmSync(file, { force: true });
  readProfile(environment, name);
  writePrivately(file, `${name}\n`);
}

function profileFile(environment: Environment, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new WrongUse(
      'The name of a profile must have 1 to 64 letters, digits, dots, hyphens, or underscores, but is ' +
        `${JSON.stringify(name)}`,
    );
  return join(folderOf(environment), 'profiles', `${name}.json`);
}

function folderOf(environment: Environment): string {
  const folder = findFolder(environment);
  if (folder === undefined) throw new WrongUse('Profiles need a home folder. Set HOME or XDG_CONFIG_HOME.');
  return folder;
}

function findFolder({ XDG_CONFIG_HOME, HOME, USERPROFILE }: Environment): string | undefined {
  const home = HOME || USERPROFILE;
  const base = XDG_CONFIG_HOME || (home && join(home, '.config'));
  return base ? join(base, 'perdure') : undefined;
}

function parseProfile(text: string): Profile | undefined {
  try {
    const profile = JSON.parse(text) as { [member: string]: unknown };
    const credentials = 'token' in profile ? ['token'] : ['tokenEndpoint', 'clientID', 'clientSecret'];
    const isComplete = ['api', 'projectID', ...credentials].every((member) => typeof profile[member] === 'string');
    return isComplete ? (profile as Profile) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Written to a temporary file first: a reader sees the former or the new content, and no other account ever a secret.
 */
function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}
