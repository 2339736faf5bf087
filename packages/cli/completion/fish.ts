import type { Command } from '../command.js';
import { membersByGroup } from './vocabulary.js';

export function fishScript(commands: readonly Command[]): string {
  const groups = [...membersByGroup(commands).keys()];
  const standalone = commands.filter(({ name }) => !name.includes(' '));
  return [
    'function __perdure_after',
    '  set -l words (commandline -opc)',
    '  test (count $words) -gt (count $argv); and test "$words[2..(math (count $argv) + 1)]" = "$argv"',
    'end',
    'function __perdure_next_after',
    '  test (count (commandline -opc)) -eq (math (count $argv) + 1); and begin',
    '    test (count $argv) -eq 0; or __perdure_after $argv',
    '  end',
    'end',
    ...standalone.map(({ name, summary }) => suggestion('__perdure_next_after', `-f -a ${name}`, summary)),
    ...groups.map((group) => suggestion('__perdure_next_after', `-f -a ${group}`, undefined)),
    ...commands.flatMap((command) => [...memberOf(command), ...optionsOf(command)]),
  ].join('\n');
}

function memberOf({ name, summary }: Command): string[] {
  const [group, member] = name.split(' ') as [string, string?];
  return member === undefined ? [] : [suggestion(`__perdure_next_after ${group}`, `-f -a ${member}`, summary)];
}

function optionsOf({ name, options }: Command): string[] {
  return Object.entries(options).map(([option, { value, words, help }]) => {
    const values = words === undefined ? '' : ` -f -a '${words.map((word) => word.toLowerCase()).join(' ')}'`;
    return suggestion(`__perdure_after ${name}`, `-l ${option}${value === undefined ? '' : ` -r${values}`}`, help);
  });
}

function suggestion(condition: string, what: string, description: string | undefined): string {
  const described = description === undefined ? '' : ` -d ${quoted(description)}`;
  return `complete -c perdure -n '${condition}' ${what}${described}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
