/**
 * Sets the version of the product and of all its packages, which depend on each other at exactly this version:
 *
 *     node tools/packages/set-version.mjs 0.2.0
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const version = process.argv[2];

if (/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version ?? '')) setVersion();
else {
  process.stderr.write(`The version must have the form 1.2.3 or 1.2.3-rc.1, but is "${version ?? ''}".\n`);
  process.exitCode = 1;
}

function setVersion() {
  const packages = readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const folder of ['', ...packages.map(({ name }) => join('packages', name))]) {
    const file = join(root, folder, 'package.json');
    writeFileSync(file, `${JSON.stringify(withVersion(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`);
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'inherit' });
}

function withVersion(manifest) {
  const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@perdure/'));
  for (const name of own) manifest.dependencies[name] = version;
  return { ...manifest, version };
}
