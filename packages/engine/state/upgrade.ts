/**
 * Reads formats stored by earlier builds: states in snapshots and in the inputs of later runs, graphs in rows and
 * histories. Each step converts one format to the next. Data of a newer build (before a rollback to this one) is read
 * unchanged.
 */
import type { Graph } from '../model/graph.js';
import type { State, Wait } from './state.js';

type Stored = { format: number };
type Upgrade = (stored: Stored) => Stored;

/** Upgrade steps by the format they start from. */
const stateUpgrades: { [format: number]: Upgrade } = {
  /** 2 adds flags, which older instances lack, and the requests of decision waits. */
  1: (stored) => {
    const state = stored as unknown as State;
    const waits = Object.entries(state.waits).map(([id, wait]) => [id, withQuestion(wait)] as const);
    return { ...state, format: 2, flags: [], waits: Object.fromEntries(waits) };
  },
};

/** The first format is so far the only one. */
const graphUpgrades: { [format: number]: Upgrade } = {};

export function upgradeState(stored: Stored): State {
  return upgrade(stored, stateUpgrades) as State;
}

export function upgradeGraph(stored: Stored): Graph {
  return upgrade(stored, graphUpgrades) as Graph;
}

function upgrade(stored: Stored, upgrades: { [format: number]: Upgrade }): Stored {
  let upgraded = stored;
  for (let step = upgrades[upgraded.format]; step; step = upgrades[upgraded.format]) upgraded = step(upgraded);
  return upgraded;
}

/**
 * In format 1 the request was only in workflow memory. The result will be that the decision does not exist: an incident
 * whose resolution requests it again.
 */
function withQuestion(wait: Wait): Wait {
  return wait.kind === 'decision'
    ? { ...wait, decisionID: wait.decisionID ?? '', binding: wait.binding ?? { kind: 'latest' } }
    : wait;
}
