/** Models that ask for more than an instance may have: each stays within the bounds of a step, comes to rest, and can be canceled. */
import { expect, it, vi } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { MemoryHost } from '../../packages/testkit/memory-host.js';
import { MemoryDriver } from '../conformance/memory.js';
import { hostileModelsOf, type HostileModel } from '../support/hostile-models.js';
import { expectRest } from './random/stimuli.js';

vi.setConfig({ testTimeout: 600_000 });

/** Facts of one step, next to a single value that is as large as an instance may hold. */
const MAX_BYTES_PER_STEP = (256 + 1024) * 1024;
/** Bytes that a whole model may write before it rests. */
const MAX_BYTES_PER_MODEL = 256 * 1024 * 1024;
const MAX_STEPS_PER_INSTANCE = 2100;

/** Of what takes computing, which grows with its square. A step that computed it at once would still be too long. */
const SIZE = Number(process.env['HOSTILE_SIZE'] || 1000);

it.each(hostileModelsOf(SIZE).map((model) => [model.title, model] as const))('%s', async (_title, model) => {
  const { host } = await play(model);
  let written = 0;
  for (const { workflowID, steps } of host.instances.values()) {
    expect(steps.length, workflowID).toBeLessThan(MAX_STEPS_PER_INSTANCE);
    for (const { stimulus, facts } of steps) {
      const bytes = bytesOf(facts);
      written += bytes;
      expect(bytes, `${workflowID}, ${stimulus.slice(0, 100)}`).toBeLessThan(MAX_BYTES_PER_STEP);
    }
  }
  expect(written).toBeLessThan(MAX_BYTES_PER_MODEL);
  for (const instance of host.instances.values()) expectRest(instance, instance.workflowID);
  cancelAll(host);
});

/** Refusals because of an earlier event do not matter here. */
async function play(model: HostileModel): Promise<MemoryDriver> {
  const driver = new MemoryDriver({ ...model, shows: model.title, section: '', outcome: [] });
  driver.host.compareEvery = Infinity;
  await driver.begin();
  for (const stimulus of model.play ?? []) await driver.apply(stimulus);
  return driver;
}

function cancelAll(host: MemoryHost): void {
  for (const instance of host.instances.values()) {
    if (instance.state.status !== 'RUNNING') continue;
    const before = instance.steps.length;
    host.send(instance, { kind: 'CANCEL_INSTANCE' });
    expect([instance.state.status, instance.steps.length - before], instance.workflowID).toEqual(['CANCELED', 1]);
  }
}

function bytesOf(facts: readonly Fact[]): number {
  return Buffer.byteLength(JSON.stringify(facts));
}
