/** The instance as a whole, and the commands it has handled. */
import { renameState } from '../state/rename.js';
import type { Appliers } from './applier.js';

export const instance = {
  INSTANCE_STARTED(state, fact) {
    if (fact.parent) state.parent = fact.parent;
    state.caughtErrors = fact.caughtErrors ?? [];
    if (fact.caughtEscalations) state.caughtEscalations = fact.caughtEscalations;
    state.depth = fact.depth ?? 0;
    state.flags = fact.flags ?? [];
    if (fact.lastCommand !== undefined) state.lastCommand = fact.lastCommand;
  },
  INSTANCE_COMPLETED(state) {
    state.status = 'COMPLETED';
  },
  INSTANCE_CANCELED(state) {
    state.status = 'CANCELED';
  },
  INSTANCE_FAILED(state, fact) {
    state.status = 'FAILED';
    state.failureReason = fact.reason;
  },
  INSTANCE_MIGRATED(state, { target, nodes, flows }) {
    state.definition = target;
    renameState(state, new Map(nodes), new Map(flows));
  },
  INSTANCE_ROTATED(state) {
    state.rotations += 1;
  },
  STATE_MEASURED(state, fact) {
    state.size = { variables: fact.variables, control: fact.control };
  },
  COMMAND_HANDLED(state, fact) {
    state.lastCommand = Math.max(state.lastCommand, fact.number);
    if (!state.deferred) return;
    const left = state.deferred.filter(({ number }) => number !== fact.number);
    if (left.length > 0) state.deferred = left;
    else delete state.deferred;
  },
  COMMAND_DEFERRED(state, fact, now) {
    state.lastCommand = fact.number;
    state.deferred = [...(state.deferred ?? []), { number: fact.number, at: now }];
  },
  PAUSE_ENDED() {
    // The state already holds what the pause deferred.
  },
  STEP_YIELDED(state, { written, conditions, evaluated }) {
    const { steps, written: before } = state.unbroken ?? { steps: 0, written: 0 };
    state.unbroken = {
      steps: evaluated ? steps : steps + 1,
      written: before + written,
      ...(conditions && { conditions }),
      ...(evaluated && { deciding: true }),
    };
  },
  STEP_SETTLED(state) {
    delete state.unbroken;
  },
} satisfies Appliers;
