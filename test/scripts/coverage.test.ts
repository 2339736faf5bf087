/** The documents that say what proves a rule or stops an attack: every row has tests, and every test named is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/repository.js';

interface Row {
  number: string;
  proofs: { title: string; file: string }[];
}

/** @param number of a row, as the document writes it */
function rowsOf(document: string, number: RegExp): Row[] {
  return readFileSync(join(repositoryRoot, document), 'utf8')
    .split('\n')
    .map((line) => new RegExp(`^\\| (${number.source}) \\| .+ \\| (.+) \\|$`).exec(line))
    .filter((row) => row !== null)
    .map(([, name, proofs]) => ({ number: name!, proofs: [...proofs!.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, title, file]) => ({ title: title!, file: file! })) }));
}

const rules = rowsOf('docs/spec-coverage.md', /\d+\.\d+/);
const attacks = rowsOf('docs/security.md', /[A-Z]\d+/);

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
  const inOrder = attacks.map(({ number }) => number).toSorted((left, right) => left.charCodeAt(0) - right.charCodeAt(0) || Number(left.slice(1)) - Number(right.slice(1)));
  expect(attacks.map(({ number }) => number)).toEqual(inOrder);
  expect(new Set(inOrder).size).toBe(inOrder.length);
  expect([...new Set(inOrder.map((number) => number[0]))].join('')).toBe('ABCDEFGHI');
});

describe.each([
  ['rule', rules],
  ['attack', attacks],
])('every %s', (_what, rows) => {
  it('names tests that are there', () => {
    const missing = rows.flatMap(({ number, proofs }) => {
      if (proofs.length === 0) return [`${number} has no proof`];
      return proofs.filter((proof) => !isThere(proof)).map(({ title, file }) => `${number}: ${file} has no test "${title}"`);
    });
    expect(missing).toEqual([]);
  });
});

/** A test of many cases is named as its source does, with `%s` in place of the case. */
function isThere({ title, file }: Row['proofs'][number]): boolean {
  const path = join(repositoryRoot, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'").replaceAll(/\(\s+/g, '(');
  return ["'", '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote}`));
}
