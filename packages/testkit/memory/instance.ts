/** An instance in memory. */
import type { Command, StartInput } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { DecisionRequest } from '@perdure/engine/decisions.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, type State } from '@perdure/engine/state/state.js';
import type { Stored } from '@perdure/engine/state/upgrade.js';
import type { Deployed } from './deployments.js';
import { roundTrip } from './json.js';

export interface MemoryInstance {
  workflowID: string;
  model: Model;
  deployment: number;
  state: State;
  /** The start, while a pause keeps the instance from its first step. */
  start?: StartInput;
  /** Pending commands by number; a pause defers them. */
  readonly deferred: Map<number, Command>;
  /** Decisions without a result yet. */
  readonly asked: DecisionRequest[];
  isDeciding: boolean;
  wasPaused: boolean;
  /** The state folded from the recorded facts. */
  replayed: State;
  /** Facts per step, with the step's inputs and time. */
  steps: { stimulus: string; now: number; facts: Fact[] }[];
}

/** An instance of a host at one moment. */
export interface OpenedState {
  readonly graph: Stored;
  readonly state: Stored;
  /** Epoch milliseconds. */
  readonly now: number;
  /** An instance cannot continue from here, so that it is shown only. */
  readonly isInside?: true | undefined;
}

/** Instances by workflow id, in the order of their starts. */
export type Instances = ReadonlyMap<string, MemoryInstance>;

export function newInstance(workflowID: string, { model, deployment }: Deployed, start?: StartInput): MemoryInstance {
  return {
    workflowID,
    model,
    deployment,
    state: newState(workflowID),
    replayed: newState(workflowID),
    ...(start && { start }),
    deferred: new Map(),
    asked: [],
    isDeciding: false,
    wasPaused: false,
    steps: [],
  };
}

/** Its facts are those after the state. */
export function openedInstance({ model, deployment }: Deployed, state: State): MemoryInstance {
  return {
    workflowID: state.workflowID,
    model,
    deployment,
    state,
    replayed: roundTrip(state),
    deferred: new Map(),
    asked: [],
    isDeciding: false,
    wasPaused: false,
    steps: [],
  };
}
