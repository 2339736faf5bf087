/** The limits in docs/search.md are the constants that the page names next to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const textOf = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

const constants = new Map(
  ['api/search', 'store/search', 'store/sql']
    .flatMap((folder) => readdirSync(join(repositoryRoot, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...textOf(path).matchAll(/^(?:export )?const ([A-Z_]+) = ([\d_]+);/gm)])
    .map(([, name, value]) => [name!, Number(value!.replaceAll('_', ''))]),
);

const rows = textOf('docs/search.md')
  .split('\n')
  .map((line) => /^\| .+ \| (?<limit>.+) \| (?<names>`[A-Z_]+`(?:, `[A-Z_]+`)*) \|$/.exec(line)?.groups)
  .filter((row) => row !== undefined);

/** As the page writes it: a number, or a part of a second or of a million. */
const spellings = (value: number) => [
  value.toLocaleString('en-US'),
  `${value / 1000} s`,
  `${value / 1_000_000} M`,
  `${value / 1_000_000} million`,
];

it('the page about the search names constants', () => {
  expect(rows.length).toBeGreaterThan(3);
});

it.each(rows.flatMap(({ limit, names }) => names!.split(', ').map((name) => [name.replaceAll('`', ''), limit!])))(
  'the page about the search has the value of %s',
  (name, limit) => {
    const value = constants.get(name);
    expect(value, `no file has the constant ${name}`).toBeDefined();
    expect(spellings(value!).some((spelling) => limit.includes(spelling))).toBe(true);
  },
);
