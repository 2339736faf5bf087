/** The workflows as the sources are now, so that a single test file needs no build before it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { bundleWorkflows } from '../../tools/workflow-bundle.js';

/** The inputs of the bundle, apart from packages of others. */
const folders = ['workflows', 'packages/engine', 'packages/feel', 'packages/lib'];
const kept = compiledScript('.test-bundles');

/** The path of the bundle. It is made once for all test files, because that takes seconds of CPU. */
export async function workflowBundle(): Promise<string> {
  const name = `${hashOfInputs()}.js`;
  const path = join(kept, name);
  if (existsSync(path)) return path;
  mkdirSync(kept, { recursive: true });
  const [entry, packages] = [join(repositoryRoot, 'workflows', 'index.ts'), join(repositoryRoot, 'packages')];
  await bundleWorkflows(entry, path, packages);
  for (const other of readdirSync(kept)) if (other !== name) rmSync(join(kept, other), { force: true });
  return path;
}

function hashOfInputs(): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'package-lock.json', 'tools/workflow-bundle.ts'])
    hash.update(file).update(readFileSync(join(repositoryRoot, file)));
  return hash.digest('hex').slice(0, 16);
}
