/** The commands that documents show exist as they are written. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { parseCommandLine } from '../../packages/cli/command-line.js';
import { wordsOf } from '../support/shell-words.js';

const documents = ['.', 'docs', 'examples', 'console', 'packages'].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name)),
);
const textOf = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const scripts = (JSON.parse(textOf('package.json')) as { scripts: object }).scripts;

/** The shell lines of fenced blocks, with continued lines joined. */
function shellLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n(.*?)^```$/gms)].map(([, block]) => block!);
  return blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
}

/** The words after `perdure` wherever a line calls it, also inside of `$(...)`, without redirections. */
function perdureCalls(line: string): string[][] {
  const call = /(?:^|[;&|(]|\bnpx|\bperdure --)\s*perdure ((?:'[^']*'|"[^"]*"|[^'"|;&)#>])+)/g;
  return [...line.matchAll(call)].map(([, words]) => wordsOf(words!));
}

function errorOf(words: string[]): string | undefined {
  try {
    parseCommandLine(words);
    return undefined;
  } catch (error) {
    return `perdure ${words.join(' ')}: ${(error as Error).message}`;
  }
}

const isSource = (script: string) => existsSync(join(repositoryRoot, script.replace(/\.js$/, '.ts')));

describe.each(documents)('%s', (document) => {
  const lines = shellLines(textOf(document));

  it('calls perdure with commands, operands, and options that exist', () => {
    expect(lines.flatMap(perdureCalls).flatMap((words) => errorOf(words) ?? [])).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const names = [...textOf(document).matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name]) => name!);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('runs compiled files that have a source', () => {
    const files = lines.flatMap((line) =>
      [...line.matchAll(/\bnode (?:-\S+ )*dist\/(\S+\.js)/g)].map(([, file]) => file!),
    );
    expect(files.filter((file) => !isSource(file))).toEqual([]);
  });
});

it('the reader finds the calls of the tour in the README', () => {
  expect(
    shellLines(textOf('README.md'))
      .flatMap(perdureCalls)
      .map(([name]) => name),
  ).toEqual(expect.arrayContaining(['deploy', 'start', 'list', 'watch', 'search', 'replay']));
});
