/** Temporal's SDK beyond its public API (ADR 99): an upgrade must not change in silence what `worker/sandbox/` relies on. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { sourceFiles } from '../../tools/structure/imports.js';

/** The version whose sources were read, and with which the time and order of activations were measured. */
const KNOWN_VERSION = '1.24.0';

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest;

/** The text of a method, because nothing public says who calls it. */
const sourceOf = (object: object, method: string) =>
  String((object as Record<string, unknown>)[method] ?? `no method ${method}`);

describe("the version of Temporal's SDK", () => {
  it.each(['.', 'packages/dev'])('is the known one, exactly, in %s', (folder) => {
    const { dependencies, devDependencies } = manifestOf(folder);
    const asked = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@temporalio/'),
    );
    expect(asked).not.toEqual([]);
    expect(asked.filter(([, version]) => version !== KNOWN_VERSION)).toEqual([]);
  });

  it('is the same in all of its installed packages, each of which is installed once', () => {
    const installed = readdirSync(join(repositoryRoot, 'node_modules/@temporalio'));
    expect(installed).toEqual(expect.arrayContaining(['core-bridge', 'worker', 'workflow']));
    for (const name of installed) {
      const folder = `node_modules/@temporalio/${name}`;
      expect(manifestOf(folder).version, name).toBe(KNOWN_VERSION);
      expect(sdkWithin(folder), name).toEqual([]);
    }
  });
});

/** Copies of the SDK that a package has for itself. */
function sdkWithin(folder: string): string[] {
  try {
    return readdirSync(join(repositoryRoot, folder, 'node_modules/@temporalio'));
  } catch {
    return [];
  }
}

describe("modules of Temporal's SDK that are not public", () => {
  it('are imported only by the sandbox of workflows, by the bundler of the image, and by tests', () => {
    const imports = sourceFiles().flatMap((file) =>
      [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/@temporalio\/(\w[\w-]*\/lib\/[\w/-]+)\.js'/g)].map(
        ([, module]) => `${file} imports ${module}`,
      ),
    );
    expect(imports.filter((line) => !line.startsWith('test/')).sort()).toEqual([
      'tools/image/dependencies.mjs imports worker/lib/workflow/bundler',
      'worker/sandbox/protocol.ts imports worker/lib/workflow/interface',
      'worker/sandbox/protocol.ts imports worker/lib/workflow/workflow-worker-thread/input',
      'worker/sandbox/workflow-sandbox.ts imports worker/lib/workflow/interface',
      'worker/sandbox/workflow-thread.ts imports worker/lib/workflow/interface',
      'worker/sandbox/workflow-thread.ts imports worker/lib/workflow/reusable-vm',
      'worker/sandbox/workflow-thread.ts imports worker/lib/workflow/vm-shared',
    ]);
  });

  it('let a subclass of the worker choose where workflows run: all workers are created through it', () => {
    for (const creation of ['create', 'constructReplayWorker'])
      expect(sourceOf(Worker, creation)).toContain('await this.createWorkflowCreator(bundle, compiledOptions, logger)');
    expect(sourceOf(Worker, 'createWorkflowCreator')).toMatch(/^async createWorkflowCreator\(\w+, \w+, \w+\)/);
  });

  it('let a subclass of the worker read the bundle', () => {
    for (const creation of ['create', 'constructReplayWorker'])
      expect(sourceOf(Worker, creation)).toContain('await this.getOrCreateBundle(compiledOptions, logger)');
    expect(workerSource()).toContain('return { code, sourceMap, filename };');
  });

  it('let a subclass of the worker see each activation with its workflow', () => {
    expect(sourceOf(Worker.prototype, 'handleActivation')).toMatch(
      /^async handleActivation\(workflow, \{ activation, synthetic \}\)/,
    );
    expect(workerSource()).toContain('(this.handleActivation.bind(this), undefined)');
  });

  it('run a workflow in the thread that creates it, without a timeout if none is given', () => {
    expect(sourceOf(ReusableVMWorkflowCreator, 'create')).toMatch(
      /^async create\(workflowBundle, isolateExecutionTimeoutMs, registeredActivityNames\b/,
    );
    expect(ReusableVMWorkflowCreator.workflowByRunId).toBeInstanceOf(Map);
    expect(sourceOf(ReusableVMWorkflowCreator.prototype, 'createWorkflow')).toContain('workflowByRunId.set(');
    for (const method of ['activate', 'getAndResetSinkCalls', 'dispose'])
      expect(sourceOf(ReusableVMWorkflow.prototype, method), method).toMatch(/^async /);
  });

  it('hook promises in a method that can be replaced before the first bundle is loaded', () => {
    expect(sourceOf(globalHandlers, 'setPromiseHook')).not.toContain('no method');
    expect(sourceOf(globalHandlers, 'install')).toContain('this.setPromiseHook()');
    expect(Object.hasOwn(globalHandlers, 'setPromiseHook')).toBe(false);
  });
});

function workerSource(): string {
  return readFileSync(join(repositoryRoot, 'node_modules/@temporalio/worker/lib/worker.js'), 'utf8');
}
