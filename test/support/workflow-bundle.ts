/** The workflows as the sources are now, so that a single test file needs no build before it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
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
const floor: Sources = { name: 'floor', entry: 'bench/floor/workflow.ts', folders: ['bench/floor'] };
const kept = compiledScript('.test-bundles');

/** The path of the bundle of instances. It is made once for all test files, because that takes seconds of CPU. */
export function workflowBundle(): Promise<string> {
  return bundleOf(instances);
}

/** The path of the bundle that runs tasks on Temporal. */
export function runnerBundle(): Promise<string> {
  return bundleOf(tasks);
}

/** The path of the bundle of the contenders that the benchmarks write by hand. */
export function floorBundle(): Promise<string> {
  return bundleOf(floor);
}

/**
 * The path of the bundle of workflows of others, which tests run next to Perdure.
 * @param entry relative to the repository; imports no other module of it
 */
export function foreignBundle(entry: string): Promise<string> {
  const name = basename(entry, '.ts');
  return keptBundle(name, hashOfFiles([entry]), async (path) => {
    const silent = () => undefined;
    const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
    const { code } = await bundleWorkflowCode({ workflowsPath: join(repositoryRoot, entry), logger });
    const draft = `${path}.${process.pid}.draft`;
    writeFileSync(draft, code);
    renameSync(draft, path);
  });
}

function bundleOf({ name, entry, folders }: Sources): Promise<string> {
  return keptBundle(name, hashOf(folders), (path) =>
    bundleWorkflows(join(repositoryRoot, entry), path, join(repositoryRoot, 'packages')),
  );
}

async function keptBundle(name: string, hash: string, bundle: (path: string) => Promise<void>): Promise<string> {
  const file = `${name}-${hash}.js`;
  const path = join(kept, file);
  if (existsSync(path)) return path;
  mkdirSync(kept, { recursive: true });
  await bundle(path);
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
  return hashOfFiles([...files.sort(), 'tools/workflow-bundle.ts']);
}

function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files, 'package-lock.json'])
    hash.update(file).update(readFileSync(join(repositoryRoot, file)));
  return hash.digest('hex').slice(0, 16);
}
