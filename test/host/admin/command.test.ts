/** Shared by the administration commands: help, wrong arguments, wrong configuration, and exit codes. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledScript, repositoryRoot } from '../../../dev/repository.js';
import { helpOf, readArguments } from '../../../host/admin/command.js';

const commands = ['migrate', 'verify', 'resync', 'explain-token', 'check-upgrade'];
const page = readFileSync(join(repositoryRoot, 'docs/operations/administration.md'), 'utf8');

/** Without standard input and without the variables of this process. */
function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = compiledScript(`host/admin/${command}.js`);
    const child = execFile(process.execPath, [script, ...args], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

// All at once: most of them wait for the start of their process, and one for an address that does not answer.
describe.concurrent.each(commands)('%s', (command) => {
  test('prints its help without any configuration, and the documented synopsis', async () => {
    const { code, stdout, stderr } = await run(command, ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, usage] = /^Usage: (.+)$/m.exec(stdout) ?? [];
    expect(usage).toMatch(new RegExp(`^${command}`));
    expect(page).toContain(`\n\`\`\`\n${usage}\n\`\`\`\n`);
    for (const [flag] of stdout.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag);
    for (const code of ['0', '1', '2']) expect(stdout).toMatch(new RegExp(`^  ${code}  \\S`, 'm'));
  });

  test('refuses an argument that it does not have', async () => {
    const { code, stdout, stderr } = await run(command, ['--aply']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^[^\\n]+\\. Run ${command} --help for the arguments\\.\\n$`));
  });

  test('names every mistake in its configuration at once', async () => {
    const environment = {
      DATABASE_URL: 'mysql://perdure:hunter2@localhost',
      OIDC_ISSUER: 'issuer.example',
      OIDC_ADMIN_CLIENT_SECRET: 'hunter2',
    };
    const { code, stdout, stderr } = await run(command, [], environment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The configuration has 2 mistakes:\n- [^\n]+\n- [^\n]+\n$/);
    expect(stderr).not.toContain('hunter2');
  });
});

test.concurrent('a service that cannot be reached is not a result', async () => {
  const { code, stderr } = await run('verify', [], {
    DATABASE_URL: 'postgres://perdure@127.0.0.1:1/perdure',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^verify failed: /);
});

const example = {
  name: 'example',
  summary: 'Does something.',
  synopsis: '[--apply]',
  flags: { apply: 'do it', 'not-too-much': 'but in moderation' },
  exitCodes: { 0: 'done', 1: 'not done' },
};

test('flags that are not given are false, and options have their standard value', () => {
  const options = { since: { standard: 'P7D', effect: 'how long' } };
  expect(readArguments({ ...example, options }, ['--apply'])).toEqual({
    flags: { apply: true, 'not-too-much': false },
    options: { since: 'P7D' },
  });
  expect(readArguments({ ...example, options }, ['--since', 'P1D'])?.options).toEqual({ since: 'P1D' });
  expect(readArguments(example, ['--apply', '--help'])).toBeUndefined();
});

test.each([['--aply'], ['everything'], ['--apply=yes'], ['--help=yes'], ['-x']])('%s is refused', (argument) => {
  expect(() => readArguments(example, [argument])).toThrow(/^[^\n]+\. Run example --help for the arguments\.$/);
});

test('help aligns the effects of the flags', () => {
  expect(helpOf(example)).toContain('  --apply         do it\n  --not-too-much  but in moderation\n');
});
