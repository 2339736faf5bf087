/** The facts of all cases on the engine alone, for comparisons between the places where the engine runs. */
import { families } from './cases/index.js';
import { MemoryPlayer } from './memory-player.js';

/** By case: the facts of its instances as JSON. */
export async function factsOfAllCases(): Promise<{ [name: string]: string }> {
  const facts: { [name: string]: string } = {};
  for (const { title, cases } of families)
    for (const given of cases) {
      const player = new MemoryPlayer(given);
      await player.begin();
      for (const stimulus of given.play ?? []) await player.apply(stimulus);
      const instances = player.instances().map((each) => [each.workflowID, player.host.facts(each)]);
      facts[`${title}: ${given.shows}`] = JSON.stringify(instances);
    }
  return facts;
}
