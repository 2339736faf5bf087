/**
 * Assembles the files of the image in `image/`: the compiled host, its console and migrations, and of the production
 * dependencies only the files that it can load. `npm run build` must have run.
 *
 *     node tools/image/assemble.mjs
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { traceDependencies } from './dependencies.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const image = join(root, 'image');
const compiled = join(image, 'dist');

rmSync(image, { recursive: true, force: true });
// The build has checked the types of these files, and of others.
node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.image.json', '--noCheck');
node('tools/packages/place.mjs', 'image/dist');
for (const path of ['package.json', 'LICENSE', 'store/migrations'])
  cpSync(join(root, path), join(image, path), { recursive: true });
const bundles = ['workflow-bundle.js', 'runner-bundle.js'];
for (const path of ['console', ...bundles]) cpSync(join(root, 'dist', path), join(compiled, path), { recursive: true });
await copyDependencies();

async function copyDependencies() {
  const { files, replaced } = await traceDependencies(root, compiledFiles());
  for (const file of files) {
    mkdirSync(dirname(join(image, file)), { recursive: true });
    if (replaced.has(file)) writeFileSync(join(image, file), replaced.get(file));
    else cpSync(join(root, file), join(image, file));
  }
}

function compiledFiles() {
  return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !path.startsWith('console') && !bundles.includes(path))
    .map((path) => join(compiled, path));
}

function node(...command) {
  execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
}
