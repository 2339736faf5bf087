/**
 * The development profile: what `npm start` writes into `.perdure/env` of its checkout, and `perdure dev` into that of its folder, so that commands find its host
 * and sign in to it. Only for a host on loopback, and only while neither a host nor credentials are configured.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isPrivate } from './private-file.js';
import { WrongUse } from '../wrong-use.js';

export interface DevelopmentProfile {
  file: string;
  api: string;
  projectID: string;
  tokenEndpoint: string;
  clientID: string;
  clientSecret: string;
}

/**
 * The profile of the checkout or project that contains the folder; undefined outside of one, or while its host is stopped.
 *
 * @throws WrongUse when the profile cannot be trusted or is incomplete
 */
export function findDevelopmentProfile(folder: string): DevelopmentProfile | undefined {
  const home = findHome(resolve(folder));
  if (home === undefined) return undefined;
  const file = join(home, '.perdure', 'env');
  if (!existsSync(file)) return undefined;
  if (!isPrivate(file))
    throw new WrongUse(`${file} must belong to you and be readable only by you. Delete it and run npm start again.`);
  return readProfile(file);
}

function findHome(folder: string): string | undefined {
  if (isCheckout(folder) || hasDevPackage(folder)) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findHome(parent);
}

/** A folder that merely has a `.perdure` in it, such as one in a shared temporary folder, is not enough. */
function isCheckout(folder: string): boolean {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return name === 'perdure';
  } catch {
    return false;
  }
}

/** A project that can run `perdure dev`. */
function hasDevPackage(folder: string): boolean {
  return existsSync(join(folder, 'node_modules', '@perdure', 'dev', 'package.json'));
}

function readProfile(file: string): DevelopmentProfile {
  const variables = parseEnv(readFileSync(file, 'utf8'));
  const value = (name: string): string => {
    const text = variables[name];
    if (!text) throw new WrongUse(`${file} has no ${name}. Run npm start again.`);
    return text;
  };
  return {
    file,
    api: onLoopback(file, value('PERDURE_API')),
    projectID: value('PERDURE_PROJECT'),
    tokenEndpoint: onLoopback(file, value('PERDURE_TOKEN_ENDPOINT')),
    clientID: value('PERDURE_CLIENT_ID'),
    clientSecret: value('PERDURE_CLIENT_SECRET'),
  };
}

function onLoopback(file: string, url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  if (/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(host)) return url;
  throw new WrongUse(
    `${file} names ${JSON.stringify(url)}, but a development profile must name a host on loopback. Set ` +
      'PERDURE_API and credentials for another host.',
  );
}
