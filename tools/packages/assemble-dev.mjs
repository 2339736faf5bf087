/**
 * Assembles the package `@perdure/dev`: the compiled host and what `npm start` starts around it. The packages of this
 * repository that they import are dependencies, so their compiled files are not in it. `npm run build` must have run.
 *
 *     node tools/packages/assemble-dev.mjs
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'packages', 'dev');
/** Made by the build, and the same on every machine. */
const built = ['dist/console', 'dist/workflow-bundle.js', 'dist/runner-bundle.js'];
/** Read at run time from the same place below the root of the package. */
const read = ['store/migrations', 'dev/temporal-server'];

const missing = built.find((path) => !existsSync(join(root, path)));
if (missing !== undefined) {
  process.stderr.write(`There is no ${missing}. Run npm run build before packing @perdure/dev.\n`);
  process.exitCode = 1;
} else assemble();

function assemble() {
  for (const path of ['dist', ...read]) rmSync(join(target, path), { recursive: true, force: true });
  // The build has checked the types of these files, and of others.
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.dev.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
  rmSync(join(target, 'dist', 'packages'), { recursive: true, force: true });
  for (const path of [...built, ...read]) cpSync(join(root, path), join(target, path), { recursive: true });
}
