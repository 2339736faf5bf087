/**
 * Publishes the packages of a tag, after all tests, in dependency order. Repeating it after a failure skips what is
 * published already. See docs/contributing/release.md.
 *
 *     node tools/packages/release.mjs v0.2.0
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from './published.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tag = process.argv[2] ?? '';
const packages = publishedPackages();

const problem = reasonNotToRelease();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  run('.ci/run', []);
  packages.filter((each) => !isPublished(each)).forEach(publish);
}

/** @returns {string | undefined} */
function reasonNotToRelease() {
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

function isPublished({ name, version }) {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === version;
}

function publish({ name, version }) {
  const distTag = version.includes('-') ? 'next' : 'latest';
  run('npm', ['publish', '--workspace', name, '--provenance', '--access', 'public', '--tag', distTag]);
}

function run(command, arguments_) {
  execFileSync(command, arguments_, { cwd: root, stdio: 'inherit' });
}
