/** The page about public cases says what it counts, and each of its bug reports is played by the test that it names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const page = read('docs/public-cases.md');

/** The rows of the table below `heading`, without its head. */
function rowsBelow(heading: string): string[][] {
  const section = page.slice(page.indexOf(heading)).split('\n## ')[0]!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
}

const reports = rowsBelow('## Bug reports');
const files = rowsBelow('## Files');

it('the page about public cases counts its files and bug reports', () => {
  expect(page).toContain(`Fifty public files and ${reports.length} bug reports`);
  expect(files).toHaveLength(50);
  expect(new Set([...files, ...reports].map(([source]) => source)).size).toBe(files.length + reports.length);
});

it('each case has a verdict', () => {
  for (const [source, verdict] of files)
    expect(verdict, source).toMatch(/^(accepted|refused, clear|\*\*wrong, repaired)/);
  for (const [source, , verdict] of reports) expect(verdict, source).toMatch(/^(right|refused, clear)/);
});

it.each(reports)('the report %s is played by the test that its row names', (source, _about, _verdict, test) => {
  const [, file] = /\(\.\.\/(test\/.+)\)$/.exec(test!)!;
  // Titles leave out the owner of the repository.
  expect(read(file!).toLowerCase()).toContain(source!.split('/')[1]!.toLowerCase());
});
