import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildProgram, type GoProgram } from '../../dev/go/build.js';

vi.setConfig({ testTimeout: 90_000 });

const program: GoProgram = {
  module: 'temporal-server',
  requires: 'github.com/temporalio/cli',
  package: 'github.com/temporalio/cli/cmd/temporal',
  name: 'temporal',
  title: 'Building',
};
let home: string;
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'perdure-go-'));
  environment = { PATH: `${home}:${process.env['PATH']}`, HOME: home, XDG_CACHE_HOME: home };
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

/** A command `go` that lists four packages, and compiles them by this script, in which `$output` is its result. */
function provideGo(build: string): void {
  const script = `#!/bin/sh
if [ "$1" = list ]; then
  printf 'one\\ntwo\\nthree\\nfour\\n'
  exit 0
fi
while [ "$1" != -o ]; do shift; done
output="$2"
${build}
`;
  writeFileSync(join(home, 'go'), script);
  chmodSync(join(home, 'go'), 0o755);
}

it('a build shows which share of its packages is compiled, without modules that are downloaded', async () => {
  const isWatched = join(home, 'is-watched');
  provideGo(`printf "go: downloading x v1.0.0\\none\\n" >&2
while [ ! -e "${isWatched}" ]; do sleep 0.1; done
echo done > "$output"`);
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const executable = buildProgram(program, environment);
  const share = () => /^Building \.\.\. \d+ s, (\d+ %)\n$/.exec(String(told.mock.lastCall?.[0]))?.[1];
  await vi.waitFor(() => expect(share()).toBe('25 %'), { timeout: 60_000 });
  writeFileSync(isWatched, '');
  expect(existsSync(await executable)).toBe(true);
});

it('a build that fails leaves no program, and reports the last words of Go', async () => {
  provideGo('echo "undefined: x" >&2; exit 1');
  await expect(buildProgram(program, environment)).rejects.toThrow('`go build` failed: undefined: x');
  provideGo('echo done > "$output"');
  expect(existsSync(await buildProgram(program, environment))).toBe(true);
});
