/** Creates runs, with every element and event definition. */
import { Budget } from './budget.js';
import { loop } from './behaviors/flow/loops.js';
import { elements } from './elements/index.js';
import type { Model } from './model/model.js';
import type { Registry } from './registry.js';
import type { Run } from './run.js';
import type { State } from './state/state.js';
import { triggers } from './events/index.js';

const registry: Registry = { elements, triggers, loop };

type Given = Partial<Pick<Run, 'targets' | 'paused' | 'unkept' | 'budget'>>;

export function newRun(
  model: Model,
  state: State,
  now: number,
  { targets = new Map(), paused = false, unkept, budget = new Budget() }: Given = {},
): Run {
  return {
    registry,
    model,
    state,
    now,
    facts: [],
    targets,
    paused,
    unkept,
    budget,
    exhausted: false,
    occupied: undefined,
    conditions: state.unbroken?.conditions,
    watched: 0,
  };
}
