import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { buildExecutable, cachedExecutable } from './build.js';
import { downloadExecutable } from './download.js';

const run = promisify(execFile);
/** The oldest server that this product supports. */
const oldestServer = [1, 29] as const;

/**
 * Finds a `temporal` command: the one that `TEMPORAL_CLI` names, otherwise the one on the PATH, the one in the cache,
 * the SDK's download, or a build from source with Go.
 *
 * @throws Failure naming every way and why it did not work
 */
export async function findTemporalExecutable(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment['TEMPORAL_CLI'];
  if (named) return useNamed(named, environment);
  const reasons: string[] = [];
  for (const way of [onThePath, inTheCache, downloadExecutable, buildExecutable]) {
    try {
      return await way(environment);
    } catch (error) {
      reasons.push(errorMessage(error));
    }
  }
  const [path, cache, download, build] = reasons;
  throw new Failure(
    'No Temporal server was found, and none could be made. Provide one of: ' +
      '(1) TEMPORAL_ADDRESS of a running server, or TEMPORAL_CLI as the path of a `temporal` command ' +
      '(neither is set); ' +
      `(2) a \`temporal\` command on the PATH (${path}); ` +
      `(3) one in the cache (${cache}); ` +
      `(4) its download by the Temporal SDK (${download}); ` +
      `(5) Go 1.25 or later to build it from source (${build}).`,
  );
}

async function useNamed(command: string, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    return await checked(command, environment);
  } catch (error) {
    throw new Failure(`Cannot use TEMPORAL_CLI: ${errorMessage(error)}`);
  }
}

async function onThePath(environment: NodeJS.ProcessEnv): Promise<string> {
  return checked('temporal', environment);
}

async function inTheCache(environment: NodeJS.ProcessEnv): Promise<string> {
  return checked(cachedExecutable(environment), environment);
}

/** Returns the command if it runs and is not too old. */
async function checked(command: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const version = await versionOf(command, environment);
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(version) ?? [];
  const isNewEnough =
    Number(major) > oldestServer[0] || (Number(major) === oldestServer[0] && Number(minor) >= oldestServer[1]);
  if (isNewEnough) return command;
  throw new Failure(
    `${command} reports "${version.trim()}", but server ${oldestServer.join('.')} or later is required`,
  );
}

async function versionOf(command: string, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await run(command, ['--version'], { env: environment, timeout: 10_000 })).stdout;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(
      isMissing ? `there is no command ${command}` : `${command} does not run: ${errorMessage(error).split('\n')[0]}`,
    );
  }
}
