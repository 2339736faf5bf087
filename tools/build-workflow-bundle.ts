/**
 * Builds `dist/workflow-bundle.js`, the code that runs in Temporal's sandbox, from the compiled workflows; does nothing
 * when they have not changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../dev/repository.js';
import { bundleWorkflows } from './workflow-bundle.js';

const bundleFile = compiledScript('workflow-bundle.js');
const inputsFile = compiledScript('.workflow-bundle-inputs');
const entry = compiledScript('workflows/index.js');
/** The inputs of the bundle, apart from packages. */
const folders = ['workflows', 'packages/engine', 'packages/feel', 'packages/lib'];

const inputs = hashOfInputs();
if (!existsSync(bundleFile) || !existsSync(inputsFile) || readFileSync(inputsFile, 'utf8') !== inputs) {
  await bundleWorkflows(entry, bundleFile);
  writeFileSync(inputsFile, inputs);
}

function hashOfInputs(): string {
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
