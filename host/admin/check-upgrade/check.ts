/** Compares what this build would have done with what was recorded. Reads only. */
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Database } from '../../../store/sql/database.js';
import { differentGraphs } from './graphs.js';
import { replayHistories } from './replays.js';
import { Differences, graphLine, skippedLines } from './report.js';
import { rerun } from './rerun.js';
import { sampledVersions, sampleOf, type SampledInstance, type Version } from './sample.js';
import { StoredInstances } from './stored-instance.js';

/** One history of so many is replayed, because a replay costs much more than running the engine again. */
const INSTANCES_PER_REPLAY = 10;

export interface UpgradeCheck {
  store: Database;
  client: Client;
  dataConverter: DataConverter;
  /** Of the workflows of this build. */
  bundlePath: string;
  sample: number;
  since: Date;
}

export interface Checked {
  lines: string[];
  differences: number;
  /** Versions none of whose instances could be run again. */
  unchecked: number;
}

export async function checkUpgrade(check: UpgradeCheck): Promise<Checked> {
  const { store, client, sample, since } = check;
  const versions = await sampledVersions(store, since);
  const instances = await sampleOf(store, versions, sample, since);
  const reruns = await rerunAll(store, instances);
  const graphs = await differentGraphs(store);
  const toReplay = instances.filter((_, index) => index % INSTANCES_PER_REPLAY === 0);
  const replays = await replayHistories(client, toReplay, check);
  const differences = [
    ...reruns.differences.lines,
    ...graphs.found.map(graphLine),
    ...replays.failed.map(({ instance, what }) => replayLine(instance, what)),
  ];
  const unchecked = versions.filter((version) => !reruns.checked.has(keyOf(version)));
  return {
    lines: [
      ...differences,
      ...skippedLines(reruns.skipped),
      ...unchecked.map(({ processID, version }) => `${processID} version ${version}: no instance could be run again`),
      `${reruns.count} instances run again, ${replays.replayed} histories replayed (${replays.gone} gone), ${graphs.compiled} versions compiled, ${differences.length} differences`,
    ],
    differences: differences.length,
    unchecked: unchecked.length,
  };
}

interface Reruns {
  count: number;
  differences: Differences;
  /** By reason. */
  skipped: Map<string, number>;
  /** Versions of which at least one instance was run again. */
  checked: Set<string>;
}

async function rerunAll(store: Database, instances: readonly SampledInstance[]): Promise<Reruns> {
  const stored = new StoredInstances(store);
  const reruns: Reruns = { count: 0, differences: new Differences(), skipped: new Map(), checked: new Set() };
  for (const sampled of instances) {
    const instance = await stored.read(sampled);
    const result = 'reason' in instance ? { kind: 'skipped' as const, reason: instance.reason } : rerun(instance);
    if (result.kind === 'skipped') {
      reruns.skipped.set(result.reason, (reruns.skipped.get(result.reason) ?? 0) + 1);
      continue;
    }
    reruns.count += 1;
    reruns.checked.add(keyOf(sampled));
    if (result.kind === 'different') reruns.differences.add(sampled, result.difference);
  }
  return reruns;
}

function keyOf({ processID, version }: Pick<Version, 'processID' | 'version'>): string {
  return `${version} ${processID}`;
}

function replayLine({ processID, version, workflowID }: SampledInstance, what: string): string {
  return `${processID} version ${version}: Temporal cannot replay instance ${workflowID}: ${what}`;
}
