/** The pipeline gives each job only the rights it needs, and a release takes nothing by a tag that can be moved. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../dev/repository.js';
import { publishedPackages } from '../../tools/packages/published.mjs';
import { pinned, referencesIn, referencesOfRelease } from '../../tools/release/references.mjs';

interface Job {
  needs?: string;
  environment?: string;
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const workflow = (name: string) =>
  parse(read(`.github/workflows/${name}.yml`)) as { permissions: object; jobs: Record<string, Job> };
const ci = workflow('ci');
const release = workflow('release');
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

it('tests, also those of pull requests, run with a token that can only read', () => {
  expect(ci.permissions).toEqual({ contents: 'read' });
  expect(release.permissions).toEqual({});
  expect(release.jobs['test']?.permissions).toEqual({ contents: 'read' });
  expect(release.jobs['pack']?.permissions).toEqual({ contents: 'read' });
});

it('only the job that publishes has an identity; it needs an approval, and runs no code of a package', () => {
  const { publish } = release.jobs;
  expect(publish).toMatchObject({ needs: 'pack', environment: 'release', permissions: { 'id-token': 'write' } });
  expect(release.jobs['pack']?.needs).toBe('test');
  expect(commandsOf(publish!)).toEqual(['node tools/packages/publish.mjs release']);
  for (const { jobs } of [ci, release])
    for (const [name, { permissions }] of Object.entries(jobs))
      if (name !== 'publish') expect(Object.values(permissions ?? {}), name).not.toContain('write');
});

it('everything that is published is signed before, and so is the list of its dependencies', () => {
  const { steps } = release.jobs['publish']!;
  const packed = commandsOf(release.jobs['pack']!).find((command) => command.startsWith('npm sbom'));
  const attestations = steps.filter(({ uses }) => uses?.startsWith('actions/attest@'));
  expect(attestations.map((step) => step.with)).toEqual([
    { 'subject-path': 'release/*.tgz' },
    { 'subject-path': 'release/perdure-dev-*.tgz', 'sbom-path': packed?.split('> ')[1] },
  ]);
  expect(steps.at(-1)?.run).toBe('node tools/packages/publish.mjs release');
  expect(release.jobs['publish']?.permissions).toEqual({
    contents: 'read',
    'id-token': 'write',
    attestations: 'write',
  });
  expect(publishedPackages().map(({ name }) => name)).toContain('@perdure/dev');
  expect(read('tools/packages/publish.mjs')).toContain("'--provenance'");
});

it('a release that takes something by a tag stops before its tests', () => {
  expect(commandsOf(release.jobs['test']!)).toEqual(['node tools/release/pin.mjs --check', '.ci/run']);
});

it('a checkout leaves no credentials to the code that runs after it, unless it only publishes', () => {
  for (const { jobs } of [ci, release])
    for (const [name, { steps }] of Object.entries(jobs))
      for (const step of steps)
        if (step.uses?.startsWith('actions/checkout@') && name !== 'publish')
          expect(step.with, name).toEqual({ 'persist-credentials': false });
});

it('everything has an exact version, pinned or not', () => {
  for (const { kind, file, name, version } of referencesOfRelease())
    expect(version, `${name} in ${file}`).toMatch(kind === 'action' ? /^v\d+\.\d+\.\d+$/ : /^\d+\.\d+\.\d+(-[\w-]+)?$/);
});

it('CI, release, and test:lts run the Node of the image', () => {
  const images = referencesIn('Dockerfile', read('Dockerfile')).map(({ version }) => version.split('-')[0]);
  expect(new Set(images).size).toBe(1);
  expect(read('package.json')).toContain(`--package=node@${images[0]} --`);
  expect(read('.github/workflows/ci.yml')).toContain(`'${images[0]}'`);
  expect(read('.github/workflows/release.yml').match(/node-version: ([\d.]+)/g)).toEqual(
    Array.from({ length: 3 }, () => `node-version: ${images[0]}`),
  );
});

it('an action is pinned to a commit and an image to a digest, and keep their versions', () => {
  const commit = 'a'.repeat(40);
  const digest = `sha256:${'b'.repeat(64)}`;
  const [action] = referencesIn('ci.yml', '- uses: some/action@v1.2.3');
  const [image] = referencesIn('Dockerfile', 'FROM node:24.1.0-slim AS build');
  expect([action?.digest, image?.digest]).toEqual([undefined, undefined]);

  const texts = [pinned(action!, commit), pinned(image!, digest)];
  expect(texts).toEqual([`uses: some/action@${commit} # v1.2.3`, `FROM node:24.1.0-slim@${digest}`]);
  expect(texts.flatMap((text) => referencesIn('file', text))).toMatchObject([
    { name: 'some/action', version: 'v1.2.3', digest: commit },
    { name: 'node', version: '24.1.0-slim', digest },
  ]);
});
