/**
 * Lets the compiled host import the packages of this repository by name: `dist/packages/` holds their compiled files,
 * and gets their manifests and a link in `dist/node_modules/`. So host and packages share one copy of each module.
 *
 *     node tools/packages/place.mjs [output folder, default dist]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = resolve(root, process.argv[2] ?? 'dist');

for (const name of readdirSync(join(output, 'packages'))) placeManifest(name);
linkPackages();

/** A published package has its compiled files in `dist/`; here they lie next to the manifest. */
function placeManifest(name) {
  const source = join(root, 'packages', name, 'package.json');
  const target = join(output, 'packages', name, 'package.json');
  // The compiler keeps the folder of a deleted package.
  if (!existsSync(source)) return;
  writeFileSync(target, readFileSync(source, 'utf8').replaceAll('./dist/', './'));
}

function linkPackages() {
  const link = join(output, 'node_modules', '@perdure');
  mkdirSync(join(output, 'node_modules'), { recursive: true });
  if (!existsSync(link)) symlinkSync('../packages', link, 'dir');
}
