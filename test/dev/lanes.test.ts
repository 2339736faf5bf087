/** The order in which the lanes of a test run take its layers. */
import { expect, it } from 'vitest';
import { runLanes } from '../../tools/test/lanes.js';
import type { Lane } from '../../tools/test/layers.js';

const layer = (name: string, lane: Lane) => ({ name, lane });
const layers = [
  layer('unit', 'computing'),
  layer('store', 'computing'),
  layer('temporal', 'waiting'),
  layer('console', 'waiting'),
  layer('system', 'waiting'),
];

/** A run in which each layer, and the work before them, ends when the test says so. */
function play() {
  const running = new Map<string, () => void>();
  const begin = (name: string) => new Promise<void>((resolve) => running.set(name, resolve));
  const done = runLanes(
    layers,
    async ({ name }) => {
      await begin(name);
      return name;
    },
    () => begin('checks'),
  );
  return {
    done,
    running: () => [...running.keys()],
    async end(name: string) {
      running.get(name)!();
      running.delete(name);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('layers that compute run after the checks, next to those that wait', async () => {
  const { running, end } = play();
  expect(running()).toEqual(['checks', 'temporal']);
  await end('checks');
  expect(running()).toEqual(['temporal', 'unit']);
  await end('temporal');
  expect(running()).toEqual(['unit', 'console']);
});

it('a lane that has no layers left takes the last one that the other lane has not begun, and each runs once', async () => {
  const { running, end, done } = play();
  for (const name of ['checks', 'unit', 'store']) await end(name);
  expect(running()).toEqual(['temporal', 'system']);
  await end('system');
  expect(running()).toEqual(['temporal', 'console']);
  await end('temporal');
  expect(running()).toEqual(['console']);
  await end('console');
  expect(await done).toEqual(['unit', 'store', 'system', 'temporal', 'console']);
});

it('a layer that cannot run fails the whole run', async () => {
  const failing = runLanes(layers, async ({ name }) => {
    if (name === 'store') throw new Error('no Postgres');
  });
  await expect(failing).rejects.toThrow('no Postgres');
});
