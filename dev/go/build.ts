import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../lock.mjs';
import { commandNotFound } from '../processes/program.js';
import { runProgram } from '../processes/run-program.js';
import { withProgress } from '../progress.mjs';
import { repositoryRoot, userCache } from '../repository.js';

/** A program that is built from the module that a `go.mod` of this repository pins. */
export interface GoProgram {
  /** The folder under `dev/` that contains `go.mod` and `go.sum`. */
  module: string;
  /** The module of the program, such as `go.temporal.io/server`. */
  requires: string;
  /** The package of its `main`. */
  package: string;
  /** The name of the built file. */
  name: string;
  /** The progress text during the build. */
  title: string;
  /** Additional linker flags, computed from the pinned version. */
  linkerFlags?: (version: string) => string[];
}

/** The version that `go.mod` requires, for example `1.32.0`. */
export function pinnedVersion({ module, requires }: GoProgram): string {
  const file = join(sourcesOf(module), 'go.mod');
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((text) =>
      text
        .trim()
        .replace(/^require /, '')
        .startsWith(`${requires} v`),
    );
  const version = line && /\sv(\S+)/.exec(line)?.[1];
  if (version === undefined) throw new Error(`${file} does not require ${requires}`);
  return version;
}

/** The location of the built program in the user's cache, whether or not it exists. */
export function cachedProgram(program: GoProgram, environment: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(sourcesOf(program.module), file)));
  const folder = `${pinnedVersion(program)}-${hash.digest('hex').slice(0, 12)}`;
  return join(userCache(environment), program.module, folder, program.name);
}

/**
 * Builds the program from source into the user's cache, unless it is there. Two concurrent callers build once: the
 * second one waits and uses the result of the first.
 *
 * @returns the path of the program
 * @throws Failure when there is no Go, or the build fails; its message has the reason
 */
export async function buildProgram(program: GoProgram, environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const executable = cachedProgram(program, environment);
  if (existsSync(executable)) return executable;
  const release = await lock(`${executable}.lock`, (holder) => {
    process.stderr.write(`Process ${holder} is already building ${basename(executable)}; waiting for it\n`);
  });
  try {
    if (!existsSync(executable)) await build(program, executable, environment);
    return executable;
  } finally {
    release();
  }
}

async function build(program: GoProgram, executable: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const draft = `${executable}.building`;
  mkdirSync(dirname(executable), { recursive: true });
  let packages: number | undefined;
  let compiled = 0;
  try {
    await withProgress(
      program.title,
      async () => {
        packages = await countPackages(program, environment);
        await runGo(program, draft, environment, () => (compiled += 1));
      },
      () => (packages === undefined ? `${compiled} packages` : `${shareOf(compiled, packages)} %`),
    );
    renameSync(draft, executable);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Packages that Go has in its cache are not compiled again, and the program is linked after the last one. */
function shareOf(compiled: number, packages: number): number {
  return Math.min(99, Math.floor((100 * compiled) / packages));
}

/** Undefined if Go cannot tell; the build then has the reason. */
async function countPackages(program: GoProgram, environment: NodeJS.ProcessEnv): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('go', ['list', '-deps', '-mod=readonly', program.package], {
      cwd: sourcesOf(program.module),
      env: withoutC(environment),
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.trim().split('\n').length;
  } catch {
    return undefined;
  }
}

function withoutC(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, CGO_ENABLED: '0', GOWORK: 'off' };
}

/**
 * Runs `go build`; `-v` makes it print each compiled package on one line.
 *
 * @param onPackage is not called for modules that are downloaded
 */
async function runGo(
  program: GoProgram,
  output: string,
  environment: NodeJS.ProcessEnv,
  onPackage: () => void,
): Promise<void> {
  const linkerFlags = ['-s', '-w', ...(program.linkerFlags?.(pinnedVersion(program)) ?? [])].join(' ');
  const { code, lastWords } = await runProgram(
    {
      command: 'go',
      arguments: [
        'build',
        '-v',
        '-trimpath',
        '-buildvcs=false',
        '-mod=readonly',
        `-ldflags=${linkerFlags}`,
        '-o',
        output,
        program.package,
      ],
      workingDirectory: sourcesOf(program.module),
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 5_000,
    },
    {
      environment: withoutC(environment),
      onLine: (line) => void (line.startsWith('go: ') || onPackage()),
    },
  );
  if (code === commandNotFound) throw new Failure('no `go` command was found');
  if (code !== 0) throw new Failure(`\`go build\` failed: ${lastWords}`);
}

function sourcesOf(module: string): string {
  return join(repositoryRoot, 'dev', module);
}
