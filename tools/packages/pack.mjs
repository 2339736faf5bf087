/**
 * Packs the packages of a tag into a folder, for the job that publishes them. See docs/contributing/release.md.
 *
 *     node tools/packages/pack.mjs v0.2.0 release
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from './published.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [tag = '', folder = 'release'] = process.argv.slice(2);
const packages = publishedPackages();

const problem = reasonNotToPack();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else packAll(resolve(root, folder));

/** @returns {string | undefined} */
function reasonNotToPack() {
  const other = packages.find(({ version }) => tag !== `v${version}`);
  if (other)
    return (
      `The tag is "${tag}", but ${other.name} has version ${other.version}. ` +
      'Run node tools/packages/set-version.mjs before the tag.'
    );
  const homeless = packages.find(({ repository }) => repository === undefined);
  if (homeless)
    return (
      `Packages of a release name their repository, for provenance, but ${homeless.name} does not. ` +
      'Add "repository" to its package.json.'
    );
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    return 'The checkout has changes that are not in the tag. Release from a fresh checkout.';
  return undefined;
}

/** `packages.json` has them in the order in which they are published: each after those that it needs. */
function packAll(target) {
  mkdirSync(target, { recursive: true });
  const packed = packages.map(({ name, version }) => ({ name, version, file: pack(name, version, target) }));
  writeFileSync(join(target, 'packages.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

/** @returns {string} the name of the tarball, which npm derives from that of the package */
function pack(name, version, target) {
  execFileSync('npm', ['pack', '--workspace', name, '--pack-destination', target], { cwd: root, stdio: 'inherit' });
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}
