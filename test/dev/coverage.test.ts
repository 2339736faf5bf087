/** The documents that say what proves a rule or stops an attack: every row has tests. That these run, each run of tests sees in its end. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { attacks, findings, rules, unproven } from '../support/named-tests.js';

it('the rules of the sections 2 to 9 are numbered without gaps', () => {
  const counts = new Map<string, number>();
  for (const { number } of rules) {
    const [section, rule] = number.split('.');
    expect(Number(rule), `rule ${number}`).toBe((counts.get(section!) ?? 0) + 1);
    counts.set(section!, Number(rule));
  }
  expect([...counts.keys()]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
});

it('the attacks stand in the order of their numbers, each once', () => {
  const inOrder = attacks
    .map(({ number }) => number)
    .toSorted(
      (left, right) => left.charCodeAt(0) - right.charCodeAt(0) || Number(left.slice(1)) - Number(right.slice(1)),
    );
  expect(attacks.map(({ number }) => number)).toEqual(inOrder);
  expect(new Set(inOrder).size).toBe(inOrder.length);
  expect([...new Set(inOrder.map((number) => number[0]))].join('')).toBe('ABCDEFGHIJK');
});

describe.each([
  ['rule', rules],
  ['attack', attacks],
  ['finding', findings],
])('every %s', (_what, rows) => {
  it('names tests in files that are there', () => {
    const missing = rows.flatMap(({ number, proofs }) => {
      if (proofs.length === 0) return [`${number} has no proof`];
      return proofs
        .filter(({ file }) => !file.endsWith('.test.ts') || !existsSync(join(repositoryRoot, file)))
        .map(({ file }) => `${number}: ${file} is no file of tests`);
    });
    expect(missing).toEqual([]);
  });
});

describe('a test that a document names', () => {
  const row = (title: string) => [{ number: '2.1', proofs: [{ title, file: 'test/a.test.ts' }] }];
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
      ['2.1: test/a.test.ts has no test "does it"'],
    ],
    ['was skipped', 'does it', 'does it', false, ['2.1: "does it" in test/a.test.ts was not run']],
  ])('%s', (_case, title, name, wasRun, expected) => {
    expect(unproven(row(title), collected(name, wasRun))).toEqual(expected);
  });

  it('is in a file that was not run: nothing is known', () => {
    expect(unproven(row('does it'), [{ file: 'test/b.test.ts', titles: ['other'], wasRun: true }])).toEqual([]);
  });
});
