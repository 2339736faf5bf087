import { UnexpectedError } from '@temporalio/worker';
import { afterEach, expect, test } from 'vitest';
import { WorkflowSandbox } from '../../worker/sandbox/workflow-sandbox.js';

const file = new URL('./support/looping-thread.mjs', import.meta.url);
const data = { bundle: { code: '', sourceMap: {} as never, filename: '' }, activityNames: new Set<string>() };
const sandboxes: WorkflowSandbox[] = [];
afterEach(() => Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.destroy())));

async function start(): Promise<WorkflowSandbox> {
  const sandbox = await WorkflowSandbox.start(file, data, 1);
  sandboxes.push(sandbox);
  return sandbox;
}

test('a workflow that computes without end fails every activation, and the process goes on', async () => {
  const sandbox = await start();
  const activations = ['endless', 'behind'].map((runID) => sandbox.activate(runID, {}, undefined));
  for (const activation of activations) {
    const error = await activation.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnexpectedError);
    expect((error as Error).message).toContain('A workflow computed for more than 1 s');
  }
  await expect(sandbox.activate('later', {}, undefined)).rejects.toThrow('A workflow computed for more than 1 s');
});

test('the failure of the thread is the failure of its activations', async () => {
  const sandbox = await start();
  await expect(sandbox.activate('throws', {}, undefined)).rejects.toThrow('thrown by a test');
});

test('a thread that cannot be loaded says why', async () => {
  const missing = new URL('./support/no-such-thread.mjs', import.meta.url);
  await expect(WorkflowSandbox.start(missing, data)).rejects.toThrow('Cannot find module');
});
