/**
 * Builds `dist/console`, the files that the host serves under /console, from `console/`; does nothing when no input has
 * changed. The folder is replaced as a whole, so a host that starts during the build finds a complete version.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The console also contains the example, whose handlers use the client, and the compiler with what that imports. */
const compiler = ['bpmn', 'engine', 'feel', 'forms', 'juel', 'lib', 'xml'];
const inputFolders = [
  'console',
  'examples/element-templates',
  'examples/order-fulfilment',
  ...['client', ...compiler].map((name) => `packages/${name}`),
];
const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'dist', 'console');
const inputsFile = join(root, 'dist', '.console-inputs');

const inputs = hashOfInputs();
if (!existsSync(join(output, 'index.html')) || !existsSync(inputsFile) || readFileSync(inputsFile, 'utf8') !== inputs) {
  await build();
  writeFileSync(inputsFile, inputs);
}

async function build() {
  // Loaded on demand: most builds do not need it.
  const { build: bundle } = await import('vite');
  const draft = `${output}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await bundle({
    configFile: join(root, 'console', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: draft, emptyOutDir: true },
  });
  rmSync(output, { recursive: true, force: true });
  renameSync(draft, output);
}

function hashOfInputs() {
  const files = inputFolders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const hash = createHash('sha256');
  for (const path of [...paths, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)])
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}
