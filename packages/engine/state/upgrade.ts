/**
 * Reads formats stored by earlier builds: states in snapshots and in the inputs of later runs, graphs in rows and
 * histories. Each step converts one format to the next. Data of a newer build (before a rollback to this one) is read
 * unchanged.
 */
import type { Graph } from '../model/graph.js';
import type { State } from './state.js';

export interface Stored {
  format: number;
}

/** Upgrade steps by the format they start from. A step returns a new object and leaves its argument as it is. */
export type Upgrades = Readonly<Record<number, (stored: Stored) => Stored>>;

/** The first format is so far the only one. */
const stateUpgrades: Upgrades = {};
const graphUpgrades: Upgrades = {};

export function upgradeState(stored: Stored, upgrades = stateUpgrades): State {
  return upgrade(stored, upgrades) as State;
}

export function upgradeGraph(stored: Stored, upgrades = graphUpgrades): Graph {
  return upgrade(stored, upgrades) as Graph;
}

function upgrade(stored: Stored, upgrades: Upgrades): Stored {
  let upgraded = stored;
  for (let step = upgrades[upgraded.format]; step; step = upgrades[upgraded.format]) upgraded = step(upgraded);
  return upgraded;
}
