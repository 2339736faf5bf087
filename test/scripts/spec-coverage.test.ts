import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/repository.js';

interface Rule {
  number: string;
  proofs: { title: string; file: string }[];
}

const rules: Rule[] = readFileSync(join(repositoryRoot, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (\d+\.\d+) \| .+ \| (.+) \|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, number, proofs]) => ({ number: number!, proofs: [...proofs!.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, title, file]) => ({ title: title!, file: file! })) }));

it('numbers the rules of the sections 2 to 9 without gaps', () => {
  const counts = new Map<string, number>();
  for (const { number } of rules) {
    const [section, rule] = number.split('.');
    expect(Number(rule), `rule ${number}`).toBe((counts.get(section!) ?? 0) + 1);
    counts.set(section!, Number(rule));
  }
  expect([...counts.keys()]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
});

it('names for every rule tests that are there', () => {
  const missing = rules.flatMap(({ number, proofs }) => {
    if (proofs.length === 0) return [`${number} has no proof`];
    return proofs.filter((proof) => !isThere(proof)).map(({ title, file }) => `${number}: ${file} has no test "${title}"`);
  });
  expect(missing).toEqual([]);
});

/** A test of many cases is named as its source does, with `%s` in place of the case. */
function isThere({ title, file }: { title: string; file: string }): boolean {
  const path = join(repositoryRoot, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote}`));
}
