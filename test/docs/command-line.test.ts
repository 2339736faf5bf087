/** docs/command-line.md describes the commands that exist. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { commands } from '../../packages/cli/commands/index.js';
import { describeCommands } from './support/command-reference.js';

const page = join(repositoryRoot, 'docs/command-line.md');
const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/docs/command-line.test.ts';
const generated = /(<!-- generated: .*? -->\n)[^]*(<!-- end of generated reference -->)/;

it('the reference of the command line is that of its table of commands', () => {
  const before = readFileSync(page, 'utf8');
  const after = before.replace(generated, (_, begin: string, end: string) => begin + describeCommands(commands) + end);
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(page, after);
  expect(after, `docs/command-line.md is out of date; to write it again: ${accept}`).toBe(readFileSync(page, 'utf8'));
});
