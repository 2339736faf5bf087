import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../lock.mjs';
import { Failure } from '../failure.js';
import { withProgress } from '../progress.mjs';
import { commandNotFound } from '../processes/program.js';
import { runProgram } from '../processes/run-program.js';
import { repositoryRoot, userCache } from '../repository.js';

const sources = join(repositoryRoot, 'scripts', 'temporal-server');
const commandPackage = 'github.com/temporalio/cli/cmd/temporal';

/** The version of the Temporal CLI that `scripts/temporal-server/go.mod` asks for, such as `1.5.1`. */
export function pinnedVersion(): string {
  const version = /github\.com\/temporalio\/cli v(\S+)/.exec(readFileSync(join(sources, 'go.mod'), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${join(sources, 'go.mod')} does not require github.com/temporalio/cli.`);
  return version;
}

/** Where our own `temporal` binary is kept; it exists once it has been built or downloaded. */
export function cachedExecutable(environment: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(sources, file)));
  const folder = `${pinnedVersion()}-${hash.digest('hex').slice(0, 12)}`;
  return join(userCache(environment), 'temporal', folder, 'temporal');
}

/**
 * Builds the Temporal development server from source with Go into the user's cache.
 * Two callers at once build once: the second waits and takes what the first has made.
 *
 * @returns the path of the binary
 * @throws Failure when there is no Go, or the build fails; its message says why
 */
export async function buildExecutable(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const executable = cachedExecutable(environment);
  const release = await lock(`${executable}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already building the Temporal server; waiting for it.\n`);
  });
  try {
    if (!existsSync(executable)) await build(executable, environment);
    return executable;
  } finally {
    release();
  }
}

async function build(executable: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const draft = `${executable}.building`;
  mkdirSync(join(executable, '..'), { recursive: true });
  let compiledPackages = 0;
  try {
    await withProgress(
      'Building the Temporal server from source with Go (once, about 3 minutes)',
      () => runGo(draft, environment, () => (compiledPackages += 1)),
      () => `${compiledPackages} packages`,
    );
    renameSync(draft, executable);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Runs `go build`; `-v` makes it name each package or module it has dealt with, one a line. */
async function runGo(output: string, environment: NodeJS.ProcessEnv, onLine: () => void): Promise<void> {
  const linkerFlags = `-s -w -X github.com/temporalio/cli/temporalcli.Version=${pinnedVersion()}`;
  const { code, lastWords } = await runProgram(
    {
      command: 'go',
      arguments: ['build', '-v', '-trimpath', '-buildvcs=false', '-mod=readonly', `-ldflags=${linkerFlags}`, '-o', output, commandPackage],
      workingDirectory: sources,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 5_000,
    },
    { environment: { ...environment, CGO_ENABLED: '0', GOWORK: 'off' }, onLine },
  );
  if (code === commandNotFound) throw new Failure('no `go` command was found');
  if (code !== 0) throw new Failure(`\`go build\` failed: ${lastWords}`);
}
