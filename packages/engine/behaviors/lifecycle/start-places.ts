/** Starting an instance at given nodes instead of at a start event, by the placement rules of a modification. */
import type { StartPlace } from '../../contract/commands.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { placeBefore } from './placement.js';

/** The places at which the process starts, again after an incident of its start; undefined if it starts at an event. */
export function placesOf({ data }: ElementInstance): readonly StartPlace[] | undefined {
  return data?.['startAt'] as readonly StartPlace[] | undefined;
}

/** Places a token at each, in order. @returns the reasons against those where none could be placed */
export function placeAll(run: Run, places: readonly StartPlace[]): string[] {
  return places.flatMap(({ nodeID, variables }, index) => {
    const problem = placeBefore(run, nodeID, undefined, variables);
    return problem === undefined ? [] : [`startAt ${index + 1} (${nodeID}): ${problem}`];
  });
}
