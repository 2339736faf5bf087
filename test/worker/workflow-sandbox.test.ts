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

test('a workflow that computes without end costs the others one thread, and is not continued in the next one', async () => {
  const sandbox = await start();
  const activations = ['endless-run', 'behind'].map((runID) => sandbox.activate(runID, {}, undefined));
  for (const activation of activations) {
    const error = await activation.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnexpectedError);
    expect((error as Error).message).toContain('because of run endless-run: it computed without end');
  }
  await expect(sandbox.activate('later', {}, undefined)).rejects.toThrow('The workflow thread was ended');

  const next = await start();
  await expect(next.activate('endless-run', {}, undefined)).rejects.toThrow('Run endless-run is not continued');
  expect(await next.activate('behind', {}, undefined)).toMatchObject({ completion: { runId: 'behind' } });
});

test('the failure of the thread is the failure of its activations', async () => {
  const sandbox = await start();
  await expect(sandbox.activate('throwing-run', {}, undefined)).rejects.toThrow('thrown by a test');
});

test('a thread that cannot be loaded says why', async () => {
  const missing = new URL('./support/no-such-thread.mjs', import.meta.url);
  await expect(WorkflowSandbox.start(missing, data)).rejects.toThrow('Cannot find module');
});
