/** The workflows as the sources are now, so that a single test file needs no build before it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { bundleWorkflows } from '../../tools/workflow-bundle.js';

interface Sources {
  name: string;
  entry: string;
  /** The inputs of the bundle, apart from packages of others. */
  folders: readonly string[];
}

const instances: Sources = {
  name: 'instances',
  entry: 'workflows/index.ts',
  folders: ['workflows', 'packages/engine', 'packages/feel', 'packages/lib'],
};
const tasks: Sources = {
  name: 'tasks',
  entry: 'connectors/temporal/runner/index.ts',
  folders: ['connectors/temporal/runner'],
};
const kept = compiledScript('.test-bundles');

/** The path of the bundle of instances. It is made once for all test files, because that takes seconds of CPU. */
export function workflowBundle(): Promise<string> {
  return bundleOf(instances);
}

/** The path of the bundle that runs tasks on Temporal. */
export function runnerBundle(): Promise<string> {
  return bundleOf(tasks);
}

async function bundleOf({ name, entry, folders }: Sources): Promise<string> {
  const file = `${name}-${hashOf(folders)}.js`;
  const path = join(kept, file);
  if (existsSync(path)) return path;
  mkdirSync(kept, { recursive: true });
  await bundleWorkflows(join(repositoryRoot, entry), path, join(repositoryRoot, 'packages'));
  for (const other of readdirSync(kept))
    if (other !== file && other.startsWith(`${name}-`)) rmSync(join(kept, other), { force: true });
  return path;
}

function hashOf(folders: readonly string[]): string {
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
