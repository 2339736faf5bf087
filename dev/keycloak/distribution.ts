/**
 * The Keycloak release for tests: downloaded once by Maven, which knows the user's mirrors, verified against the hash
 * in this file, and built once with fixed options, because building takes longer than starting.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../lock.mjs';
import { withProgress } from '../progress.mjs';
import { runProgram } from '../processes/run-program.js';
import { userCache } from '../repository.js';

export const keycloakVersion = '26.4.7';
const artifact = `org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:tar.gz`;
const sha256 = 'aca60ab72ae4d67adc6b8fe7fca5e08d16a6bb5e4a4f2ebb54050e3f5503fd2b';
const oldestJava = 17;
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
/** Fixed when Keycloak is built; a server that starts with other options rebuilds itself. */
const buildOptions = ['--db=dev-mem'];

const run = promisify(execFile);

/** The reason why Keycloak cannot run on this machine, or undefined. */
export async function keycloakObstacle(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const java = await answerOf('java', ['-version']);
  if (java === undefined) return 'there is no `java` command';
  const [, release] = /version "(\d+)/.exec(java) ?? [];
  if (Number(release) < oldestJava) return `\`java\` has version ${release}, but ${oldestJava} or later is required`;
  if (existsSync(folderOf(environment)) || (await answerOf('mvn', ['-version'])) !== undefined) return undefined;
  return 'there is no `mvn` command for the download';
}

/**
 * The folder of the distribution in the user's cache, downloaded and built if it is missing. Two concurrent callers do
 * so once.
 *
 * @throws Failure with the reason why it is unavailable
 */
export async function prepareKeycloak(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const folder = folderOf(environment);
  const obstacle = await keycloakObstacle(environment);
  if (obstacle !== undefined) throw new Failure(`Cannot use Keycloak: ${obstacle}`);
  const release = await lock(`${folder}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already downloading Keycloak; waiting for it\n`);
  });
  try {
    if (!existsSync(folder)) await make(folder);
    return folder;
  } finally {
    release();
  }
}

/** Arguments of `java` that run a command of the distribution in `home`. */
export function keycloakCommand(home: string, command: string[]): string[] {
  return [
    '-Xms64m',
    '-Xmx384m',
    '-XX:MaxMetaspaceSize=256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Dfile.encoding=UTF-8',
    `-Dkc.home.dir=${home}`,
    `-Djboss.server.config.dir=${join(home, 'conf')}`,
    '-Djava.util.logging.manager=org.jboss.logmanager.LogManager',
    '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
    '-cp',
    join(home, 'lib', 'quarkus-run.jar'),
    'io.quarkus.bootstrap.runner.QuarkusEntryPoint',
    ...command,
  ];
}

function folderOf(environment: NodeJS.ProcessEnv): string {
  const options = createHash('sha256')
    .update(sha256 + buildOptions.join(' '))
    .digest('hex')
    .slice(0, 12);
  return join(userCache(environment), 'keycloak', `${keycloakVersion}-${options}`);
}

/** The output of the command; undefined when it does not run. */
async function answerOf(command: string, arguments_: string[]): Promise<string | undefined> {
  return run(command, arguments_, { timeout: 30_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    () => undefined,
  );
}

/** Works in a temporary folder next to the final one, so that the final folder is always complete. */
async function make(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    const archive = await withProgress('Downloading Keycloak with Maven (once, about 160 MB)', () =>
      fetchArchive(draft),
    );
    const home = join(draft, 'home');
    mkdirSync(home);
    await step('tar', ['-xzf', archive, '--strip-components=1', '-C', home]);
    await withProgress('Building Keycloak (once, about half a minute)', () =>
      step('java', keycloakCommand(home, ['build', ...buildOptions])),
    );
    renameSync(home, folder);
  } catch (error) {
    throw new Failure(`Cannot use Keycloak: ${errorMessage(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function fetchArchive(folder: string): Promise<string> {
  // A separate repository: the archive would stay in the user's repository indefinitely.
  const repository = `-Dmaven.repo.local=${join(folder, 'repository')}`;
  await step('mvn', [
    '--batch-mode',
    '--quiet',
    copyGoal,
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${folder}`,
    repository,
  ]);
  const archive = join(folder, `keycloak-quarkus-dist-${keycloakVersion}.tar.gz`);
  const found = await hashOf(archive);
  if (found !== sha256) throw new Failure(`expected an archive with the SHA-256 ${sha256}, but got ${found}`);
  return archive;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function step(command: string, arguments_: string[]): Promise<void> {
  const { code, lastWords } = await runProgram({
    command,
    arguments: arguments_,
    stopSignal: 'SIGTERM',
    stopWithinMilliseconds: 5_000,
  });
  if (code !== 0) throw new Failure(`\`${command}\` ended with exit code ${code}: ${lastWords}`);
}
