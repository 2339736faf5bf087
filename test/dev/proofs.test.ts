/** What `npm test` plays in short and a proof at length: neither may lose a test to the other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { layerOf, testFiles } from '../../tools/test/layers.js';
import { filesOf, lengthsOf, proofOf, proofs } from '../../tools/test/proofs.js';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Variables that change what a run writes or prints, not how much it plays. */
const notLengths = new Set([
  'ACCEPT_GOLDEN',
  'CONFORMANCE',
  'PATH',
  'PERDURE_KEEP_HISTORIES',
  'PERDURE_SCREENSHOTS',
  'PERDURE_TEST_STACK',
  'RANDOM_SEED',
]);

/** By file, the variables that say how much it plays, each with a default. */
function lengthsIn(file: string): string[] {
  const source = read(file);
  const named = [...source.matchAll(/process\.env\['(\w+)'\]|\bchosen\('(\w+)'/g)].map(
    ([, variable, other]) => (variable ?? other)!,
  );
  if (/\bscaled?\(/.test(source)) named.push('RANDOM_SCALE');
  return [...new Set(named)].filter((variable) => !notLengths.has(variable));
}

describe.each(proofs)('the proof $name', (proof) => {
  it('has a script that plays it', () => {
    expect(scripts[proof.name]).toBe(`exec node dist/tools/proofs.js ${proof.name}`);
    expect(scripts[`pre${proof.name}`]).toBe('node dev/prepare.mjs');
  });

  it('consists of files that npm test plays in short, each by one of its lengths', () => {
    const files = filesOf(proof);
    expect(proof.paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
    expect(files.filter((file) => !lengthsIn(file).some((variable) => variable in proof.lengths))).toEqual([]);
    for (const file of files) expect(layerOf(file), file).toBeDefined();
  });

  it('sets only lengths that its files read, in its script and among all proofs', () => {
    const known = new Set(filesOf(proof).flatMap(lengthsIn));
    expect(Object.keys(proof.lengths).filter((variable) => !known.has(variable))).toEqual([]);
    expect(Object.keys(proof.together ?? {}).filter((variable) => !(variable in proof.lengths))).toEqual([]);
  });

  it('is described for contributors', () => {
    const isDescribed = read('CONTRIBUTING.md').includes(`\`npm run ${proof.name}\``);
    expect(isDescribed, 'CONTRIBUTING.md names the script').toBe(true);
  });
});

it('every test with a variable length is part of a proof that sets it', () => {
  const played = new Set(
    proofs.flatMap((proof) =>
      filesOf(proof).flatMap((file) => Object.keys(proof.lengths).map((variable) => `${file} reads ${variable}`)),
    ),
  );
  const reads = testFiles().flatMap((file) => lengthsIn(file).map((variable) => `${file} reads ${variable}`));
  expect(reads.filter((line) => !played.has(line))).toEqual([]);
});

it('continuous integration plays the short forms, and the proof on another provider after them', () => {
  expect(scripts['proofs']).toBe('exec node dist/tools/proofs.js');
  expect(read('.ci/run')).toMatch(/^npm test\b[^]*^(exec )?npm run providers$/m);
});

describe('the lengths of a proof', () => {
  const races = proofOf('message-races');

  it('are those of its script, smaller ones among all proofs, and those of the environment before both', () => {
    const lengths = (areAllPlayed: boolean, environment = {}) => lengthsOf(races, { areAllPlayed, environment });
    expect(lengths(false)).toEqual(races.lengths);
    expect(lengths(true)).toEqual({ ...races.lengths, ...races.together });
    expect(lengths(true, { MESSAGE_RACES: '7', RANDOM_SCALE: '9' })).toEqual({ MESSAGE_RACES: '7' });
  });

  it('are those of a known proof', () => {
    expect(() => proofOf('message-race')).toThrow(
      'There is no proof "message-race". tools/test/proofs.ts has random, hostile, message-races,',
    );
  });
});
