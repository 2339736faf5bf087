/** Help and the reading of command lines, for every command of the table. */
import { expect, it } from 'vitest';
import { exitCodes, exitCodeMeanings } from '../../packages/cli/command.js';
import { parseCommandLine } from '../../packages/cli/command-line.js';
import { commands, groups } from '../../packages/cli/commands/index.js';
import { wordsOf } from '../support/shell-words.js';
import { runWith } from './support/run.js';

const longest = 100;

it('help fits on one screen and names every command or its group', async () => {
  const { code, out } = await runWith(['--help']);
  expect(code).toBe(0);
  expect(out.length).toBeLessThanOrEqual(48);
  expect(Math.max(...out.map(({ length }) => length))).toBeLessThanOrEqual(longest);
  for (const { name, operands } of commands) {
    const [group, member] = name.split(' ');
    expect(out.join('\n')).toContain(member === undefined ? `  ${`${name} ${operands}`.trim()}` : `  ${group} ...`);
  }
});

it.each(Object.keys(groups))('help of the group %s names its commands', async (group) => {
  const { code, out } = await runWith([group, '--help']);
  expect(code).toBe(0);
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  expect(members.length).toBeGreaterThan(1);
  for (const { name, summary } of members) expect(out.find((line) => line.startsWith(`  ${name}`))).toContain(summary);
});

it.each(commands.map((command) => [command.name, command] as const))(
  'help of %s has its options and examples that work',
  async (name, { options, examples }) => {
    const { out } = await runWith([...name.split(' '), '--help']);
    for (const option of [...Object.keys(options), 'output']) expect(out.join('\n')).toContain(`  --${option}`);
    for (const example of examples) {
      expect(out).toContain(`  ${example}`);
      const { command } = parseCommandLine(wordsOf(example.split(' > ')[0]!).slice(1));
      expect(command.name).toBe(name);
    }
  },
);

it('every exit code has a meaning, and no two are the same', () => {
  expect(Object.keys(exitCodeMeanings)).toEqual(Object.keys(exitCodes));
  expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
});

it.each<[string, string[], RegExp]>([
  ['a group alone', ['incidents'], /^perdure incidents takes one of list, groups, show, resolve, but got ""\. Run /],
  ['another word after a group', ['incidents', 'lose'], /^perdure incidents takes one of .* but got "lose"/],
  ['an output format that does not exist', ['list', '--output', 'xml'], /^--output must be one of text, json/],
  ['a malformed id of an incident', ['incidents', 'resolve', 'x'], /WORKFLOW_ID:NUMBER.*"x".*perdure incidents list/],
  ['a malformed id of a task', ['tasks', 'claim', 'x'], /WORKFLOW_ID:NUMBER.*"x".*perdure tasks list/],
  ['variables that are a list', ['variables', 'set', 'w', '[1]'], /^JSON must be a JSON object such as/],
  ['a key that a number would change', ['message', 'm', '--key', '12345678901234567890'], /^--key .*'"1234567890/],
  ['an unknown shell', ['completion', 'tcsh'], /^The shell must be one of bash, zsh, fish, but is "tcsh"$/],
  ['a plan that does not exist', ['migrate', 'w', 'none.json'], /^Cannot read none\.json/],
])('%s is wrong use and says what is right', async (_what, words, message) => {
  const { code, out, errors } = await runWith(words, { PERDURE_TOKEN: 'any' });
  expect({ code, out }).toEqual({ code: exitCodes.wrongUse, out: [] });
  expect(errors.join('\n')).toMatch(message);
});
