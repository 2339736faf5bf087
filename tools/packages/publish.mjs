/**
 * Publishes the tarballs that tools/packages/pack.mjs made, in their order. It runs no script of a package. Repeating
 * it after a failure skips what is published already.
 *
 *     node tools/packages/publish.mjs release
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? 'release');
const packed = JSON.parse(readFileSync(join(folder, 'packages.json'), 'utf8'));

packed.filter((each) => !isPublished(each)).forEach(publish);

function isPublished({ name, version }) {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() === version;
}

function publish({ version, file }) {
  const distTag = version.includes('-') ? 'next' : 'latest';
  const options = ['--ignore-scripts', '--provenance', '--access', 'public', '--tag', distTag];
  execFileSync('npm', ['publish', join(folder, file), ...options], { stdio: 'inherit' });
}
