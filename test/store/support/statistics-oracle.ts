/**
 * Statistics told from whole histories, without any code of the fold: every count is found by reading the facts before
 * it again.
 */
import type { Fact } from '@perdure/engine/contract/facts.js';

const HOUR = 3_600_000;
/** The element instance of the process itself. */
const PROCESS = 1;

export interface ToldHistory {
  definitionID: string;
  steps: { now: number; facts: readonly Fact[]; work: readonly ToldWork[] }[];
}

/** A completed job or user task. */
export interface ToldWork {
  number: number;
  nodeID: string;
  createdAt: number;
  begunAt: number | undefined;
}

export interface Told {
  /** By definition, node, hour, and kind of count. */
  counts: Map<string, number>;
  /** Of everything that completed, in milliseconds, by definition and node. */
  durations: Map<string, number[]>;
  waiting: Map<string, number[]>;
  working: Map<string, number[]>;
}

export function keyOf(definitionID: string, nodeID: string, time: number, counter: string): string {
  return JSON.stringify([definitionID, nodeID, Math.floor(time / HOUR) * HOUR, counter]);
}

interface Dated {
  fact: Fact;
  now: number;
  /** The element that its step completes. */
  work: readonly ToldWork[];
}

export function tell(histories: readonly ToldHistory[]): Told {
  const told: Told = { counts: new Map(), durations: new Map(), waiting: new Map(), working: new Map() };
  for (const history of histories) tellOne(history, told);
  return told;
}

const ends = { ELEMENT_COMPLETED: 'completed', ELEMENT_FAILED: 'failed', ELEMENT_CANCELED: 'canceled' } as const;
const instanceEnds = {
  INSTANCE_COMPLETED: 'completed',
  INSTANCE_FAILED: 'failed',
  INSTANCE_CANCELED: 'canceled',
} as const;

function tellOne({ definitionID, steps }: ToldHistory, told: Told): void {
  const all: Dated[] = steps.flatMap(({ facts, ...step }) => facts.map((fact) => ({ fact, ...step })));
  const versionAt = (index: number) => {
    const migration = all.slice(0, index + 1).findLast(({ fact }) => fact.kind === 'INSTANCE_MIGRATED')?.fact;
    return migration?.kind === 'INSTANCE_MIGRATED' ? migration.target.definitionID : definitionID;
  };
  const count = (version: string, nodeID: string, time: number, counter: string) => {
    const key = keyOf(version, nodeID, time, counter);
    told.counts.set(key, (told.counts.get(key) ?? 0) + 1);
  };
  const took = (times: Map<string, number[]>, version: string, nodeID: string, ms: number) => {
    const key = JSON.stringify([version, nodeID]);
    const known = times.get(key);
    if (known) known.push(ms);
    else times.set(key, [ms]);
  };
  if (all.length === 0) return;
  const startedAt = steps[0]!.now;
  count(versionAt(all.length), '', startedAt, 'started');
  for (const [index, { fact, now, work }] of all.entries()) {
    const version = versionAt(index);
    if (fact.kind === 'ELEMENT_ACTIVATED' && fact.element !== PROCESS) count(version, fact.node, now, 'started');
    if (fact.kind === 'INCIDENT_RAISED') {
      count(version, '', now, 'incidents');
      if (fact.element !== PROCESS) count(version, fact.node, now, 'incidents');
    }
    if (fact.kind in instanceEnds) {
      const outcome = instanceEnds[fact.kind as keyof typeof instanceEnds];
      count(version, '', now, outcome);
      if (outcome === 'completed') took(told.durations, version, '', now - startedAt);
    }
    if (fact.kind === 'ELEMENT_COMPLETED')
      for (const flow of (fact.flows ?? []).concat(fact.passed ?? [])) count(version, `flow:${flow}`, now, 'started');
    if (fact.kind === 'JOB_COMPLETED' || fact.kind === 'USER_TASK_COMPLETED') {
      const number = fact.kind === 'JOB_COMPLETED' ? fact.job : fact.task;
      const { nodeID, createdAt, begunAt } = work.find((one) => one.number === number)!;
      if (begunAt === undefined) continue;
      took(told.waiting, version, nodeID, begunAt - createdAt);
      took(told.working, version, nodeID, Math.max(0, now - begunAt));
    }
    if (!(fact.kind in ends) || !('element' in fact) || fact.element === PROCESS) continue;
    const outcome = ends[fact.kind as keyof typeof ends];
    const { nodeID, beganAt } = activationOf(all.slice(0, index), fact.element);
    count(version, nodeID, now, outcome);
    if (outcome === 'completed') took(told.durations, version, nodeID, now - beganAt);
  }
}

/** When it began, and what its node is called after the migrations since. */
function activationOf(before: readonly Dated[], element: number): { nodeID: string; beganAt: number } {
  const begun = before.findLastIndex(({ fact }) => fact.kind === 'ELEMENT_ACTIVATED' && fact.element === element);
  const { fact, now } = before[begun]!;
  if (fact.kind !== 'ELEMENT_ACTIVATED') throw new Error(`Element ${element} was never activated`);
  const nodeID = before
    .slice(begun)
    .reduce(
      (name, { fact: later }) =>
        later.kind === 'INSTANCE_MIGRATED' ? (later.nodes.find(([from]) => from === name)?.[1] ?? name) : name,
      fact.node,
    );
  return { nodeID, beganAt: now };
}

/** At the nearest rank. */
export function exactQuantile(values: readonly number[], fraction: number): number | undefined {
  return values.toSorted((left, right) => left - right)[Math.ceil(fraction * values.length) - 1];
}
