/** Every row of the documents that name tests has some in files that exist. The end of each run checks that they ran. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { attacks, findings, rules, unproven } from '../support/named-tests.js';

describe.each([
  ['rule', rules],
  ['attack', attacks],
  ['finding', findings],
])('every %s', (_what, rows) => {
  it('has a name that no other row has', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it('names tests in files that are there', () => {
    const missing = rows.flatMap(({ name, proofs }) => {
      if (proofs.length === 0) return [`${name} has no proof`];
      return proofs
        .filter(({ file }) => !file.endsWith('.test.ts') || !existsSync(join(repositoryRoot, file)))
        .map(({ file }) => `${name}: ${file} is not a file of tests`);
    });
    expect(missing).toEqual([]);
  });
});

describe('a test that a document names', () => {
  const row = (title: string) => [{ name: 'a rule', proofs: [{ title, file: 'test/a.test.ts' }] }];
  const collected = (name: string, wasRun = true) => [{ file: 'test/a.test.ts', titles: [name, 'a group'], wasRun }];

  it.each([
    ['was run', 'does it', 'does it', true, []],
    ['is one of many cases', 'takes %s (${n} times)', 'takes 5 (3 times)', true, []],
    ['is a group of tests', 'a group', 'does it', true, []],
    [
      'is gone although the file has its title as text',
      'does it',
      'does something else',
      true,
      ['a rule: test/a.test.ts has no test "does it"'],
    ],
    ['was skipped', 'does it', 'does it', false, ['a rule: "does it" in test/a.test.ts was not run']],
  ])('%s', (_case, title, name, wasRun, expected) => {
    expect(unproven(row(title), collected(name, wasRun))).toEqual(expected);
  });

  it('is in a file that was not run: nothing is known', () => {
    expect(unproven(row('does it'), [{ file: 'test/b.test.ts', titles: ['other'], wasRun: true }])).toEqual([]);
  });
});
