/** The words that can follow each part of a command line. */
import type { Command } from '../command.js';

/** The first words, in the order of the help. */
export function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
}

/** The second words by group. */
export function membersByGroup(commands: readonly Command[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [group, member] = name.split(' ') as [string, string?];
    if (member !== undefined) groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  return groups;
}

/** The words that options accept: `--status` differs from command to command. */
export function wordsOfOptions({ options }: Command): [option: string, words: readonly string[]][] {
  return Object.entries(options).flatMap(([option, { words }]) =>
    words === undefined ? [] : [[option, words.map((word) => word.toLowerCase())]],
  );
}
