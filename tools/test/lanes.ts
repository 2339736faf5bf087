/**
 * Two lanes of layers at the same time. In a single lane, the processor would be idle while tests wait for servers. The
 * lane that computes ends first, and then takes layers from the end of the other lane.
 */
import type { Lane } from './layers.js';

/**
 * @param before work that belongs to the computing lane and comes first there
 * @returns the results of the layers in the order in which they ended
 */
export async function runLanes<L extends { readonly lane: Lane }, R>(
  layers: readonly L[],
  run: (layer: L) => Promise<R>,
  before: () => Promise<void> = async () => undefined,
): Promise<R[]> {
  const computing = layers.filter(({ lane }) => lane === 'computing');
  const waiting = layers.filter(({ lane }) => lane === 'waiting');
  const results: R[] = [];
  const runAll = async (next: () => L | undefined): Promise<void> => {
    for (let layer = next(); layer !== undefined; layer = next()) results.push(await run(layer));
  };
  await Promise.all([
    before().then(() => runAll(() => computing.shift() ?? waiting.pop())),
    runAll(() => waiting.shift()),
  ]);
  return results;
}
