/**
 * Builds the code that runs in Temporal's sandbox from the compiled workflows: `dist/workflow-bundle.js` for instances, and
 * `dist/runner-bundle.js` for tasks on Temporal. Does nothing when they have not changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../dev/repository.js';
import { bundleWorkflows } from './workflow-bundle.js';

/** Folders are the inputs of the bundle, apart from packages. */
const bundles = [
  {
    name: 'workflow-bundle',
    entry: 'workflows/index.js',
    folders: ['workflows', 'packages/engine', 'packages/feel', 'packages/lib'],
  },
  { name: 'runner-bundle', entry: 'connectors/temporal/runner/index.js', folders: ['connectors/temporal/runner'] },
];

for (const { name, entry, folders } of bundles) {
  const bundleFile = compiledScript(`${name}.js`);
  const inputsFile = compiledScript(`.${name}-inputs`);
  const inputs = hashOfInputs(folders);
  if (existsSync(bundleFile) && existsSync(inputsFile) && readFileSync(inputsFile, 'utf8') === inputs) continue;
  await bundleWorkflows(compiledScript(entry), bundleFile);
  writeFileSync(inputsFile, inputs);
}

function hashOfInputs(folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(compiledScript(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join('dist', folder, file)),
  );
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'package-lock.json', 'dist/tools/workflow-bundle.js']) {
    hash.update(file).update(readFileSync(join(repositoryRoot, file)));
  }
  return hash.digest('hex');
}
