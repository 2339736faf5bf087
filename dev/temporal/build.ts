import { buildProgram, cachedProgram, pinnedVersion as pinned, type GoProgram } from '../go/build.js';

const program: GoProgram = {
  module: 'temporal-server',
  requires: 'github.com/temporalio/cli',
  package: 'github.com/temporalio/cli/cmd/temporal',
  name: 'temporal',
  title: 'Building the Temporal server from source with Go (once, about 3 minutes)',
  linkerFlags: (version) => ['-X', `github.com/temporalio/cli/temporalcli.Version=${version}`],
};

/** The version of the Temporal CLI that `dev/temporal-server/go.mod` requires, for example `1.5.1`. */
export function pinnedVersion(): string {
  return pinned(program);
}

/** The location of the cached `temporal` binary; it exists once it has been built or downloaded. */
export function cachedExecutable(environment: NodeJS.ProcessEnv = process.env): string {
  return cachedProgram(program, environment);
}

/**
 * Builds the Temporal development server from source with Go into the user's cache.
 *
 * @returns the path of the binary
 * @throws Failure when there is no Go, or the build fails; its message has the reason
 */
export async function buildExecutable(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  return buildProgram(program, environment);
}
