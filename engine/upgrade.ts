/**
 * Reading what earlier builds have stored: states in snapshots and in the inputs of later runs, graphs in rows and histories.
 * Each step brings one format to the next. What a newer build has stored (this one was rolled back) is read as it is.
 */
import type { Graph } from './graph.js';
import type { State, Wait } from './state.js';

type Stored = { format: number };
type Upgrade = (stored: Stored) => Stored;

/** By the format that they begin with. */
const stateUpgrades: { [format: number]: Upgrade } = {
  /** 2 adds flags, of which older instances have none, and what was asked to the waits for decisions. */
  1: (stored) => {
    const state = stored as unknown as State;
    const waits = Object.entries(state.waits).map(([id, wait]) => [id, withQuestion(wait)] as const);
    return { ...state, format: 2, flags: [], waits: Object.fromEntries(waits) };
  },
};

/** The first format is the only one so far. */
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

/** What was asked stood in memory: the answer will be that there is no such decision, an incident whose resolution asks again. */
function withQuestion(wait: Wait): Wait {
  return wait.kind === 'decision' ? { ...wait, decisionID: wait.decisionID ?? '', binding: wait.binding ?? { kind: 'latest' } } : wait;
}
