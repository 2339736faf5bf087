/** Multi-instance activities and loops. */
import { loopItems } from '../state/loop-items.js';
import type { State } from '../state/state.js';
import type { Appliers } from './applier.js';
import { scheduleContinuation } from './continuations.js';

export const loops = {
  LOOP_STARTED(state, fact) {
    const { element: id, total, source, items, output, resumed } = fact;
    state.elements[id]!.loop = {
      started: resumed?.started ?? 0,
      completed: resumed?.completed ?? 0,
      ...(total !== undefined && { total }),
      ...(source && { source }),
      ...(items && { items }),
      ...(output !== undefined && {
        output: {
          name: output,
          values: Array.from({ length: total ?? 0 }, (_, index) => resumed?.outputs?.[index] ?? null),
        },
      }),
    };
    if (source) {
      const owner = state.elements[source.scope]!;
      owner.itemReaders = [...(owner.itemReaders ?? []), id];
    }
    scheduleContinuation(state, id);
  },
  LOOP_ITEMS_KEPT(state, fact) {
    const loop = state.elements[fact.element]!.loop!;
    loop.items = loopItems(state, loop.source!);
    stopReadingItems(state, fact.element);
    delete loop.source;
  },
  LOOP_OUTPUT_COLLECTED(state, fact) {
    state.elements[fact.element]!.loop!.output!.values[fact.index] = fact.value;
  },
} satisfies Appliers;

/** The scope whose variable `body` iterates over no longer has to preserve the list for it. */
export function stopReadingItems(state: State, body: number): void {
  const owner = state.elements[state.elements[body]!.loop!.source!.scope];
  if (!owner?.itemReaders) return;
  const rest = owner.itemReaders.filter((id) => id !== body);
  if (rest.length > 0) owner.itemReaders = rest;
  else delete owner.itemReaders;
}
