import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../packages/cli/commands/index.js';
import { runWith } from './support/run.js';

const scripts: { [shell: string]: string } = {};
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await runWith(['completion', shell])).out[0]!;
});

it.each(['bash', 'zsh', 'fish'])('the script for %s has every word and option of the table', (shell) => {
  for (const { name, options } of commands)
    for (const word of [...name.split(' '), ...Object.keys(options), 'output']) expect(scripts[shell]).toContain(word);
});

describe('in bash', () => {
  /** The completions of a line whose last word is unfinished. */
  function complete(line: string): string[] {
    const words = line.split(' ');
    const probe = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _perdure; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['--norc', '-c', `${scripts['bash']}\n${probe}`], { encoding: 'utf8' });
    return output.split('\n').filter((word) => word !== '');
  }

  it.each<[string, string[]]>([
    ['perdure inc', ['incidents']],
    ['perdure incidents ', ['list', 'groups', 'show', 'resolve', '--help']],
    ['perdure incidents resolve --v', ['--variables']],
    ['perdure list --status c', ['completed', 'canceled']],
    ['perdure incidents list --status ', ['open', 'resolved']],
    ['perdure tasks list --una', ['--unassigned']],
    ['perdure list --una', []],
    ['perdure list --output j', ['json']],
  ])('completes %j', (line, words) => {
    expect(complete(line)).toEqual(words);
  });
});
