/** Parts that both hosts of a case share. */
import { expect } from 'vitest';
import type { ActivityEntry } from '../../store/steps/history.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { ConformanceCase, Outcome, Stimulus } from './case.js';

/** One instance as anybody can see it. */
export interface Seen {
  process: string;
  status: string;
  /** Tokens per node: `work x2`. */
  active: string[];
  incidents: string[];
  /** The messages of open incidents, and why the instance failed. Ids of instances are `<id>`. */
  reasons: string[];
  /** In the notation of `Outcome`. */
  history: string;
  variables: Variables;
}

/** A case on one host. */
export interface Driver {
  /** Deploys the files, and starts process `p` unless the case starts itself. */
  begin(): Promise<void>;
  apply(stimulus: Stimulus): Promise<void>;
  /** All instances of the case, in any order. */
  look(): Promise<Seen[]>;
}

/** History entries in the notation of `Outcome`. */
export function historyOf(entries: readonly Pick<ActivityEntry, 'nodeID' | 'status' | 'loopCounter'>[]): string {
  const mark = { Started: '?', Completed: '', Failed: '!', Canceled: '~' };
  return entries
    .map(
      ({ nodeID, status, loopCounter }) =>
        `${nodeID}${loopCounter === undefined ? '' : `#${loopCounter}`}${mark[status]}`,
    )
    .join(' ');
}

/** In their own order, without the ids of instances, which differ from host to host. */
export function reasonsOf(texts: readonly (string | undefined)[]): string[] {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => text.replaceAll(/\b(?:i\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g, '<id>'))
    .toSorted();
}

/** In its own order, and without the variables that differ from host to host. */
export function comparable(seen: readonly Seen[], { clock }: ConformanceCase): Seen[] {
  const differing = Object.keys(clock?.(0) ?? {});
  return sorted(
    seen.map((instance) => ({
      ...instance,
      variables: Object.fromEntries(
        Object.entries(instance.variables)
          .filter(([name]) => !differing.includes(name))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    })),
  );
}

/** Fails the test when the end is another than the case says. */
export async function expectOutcome(driver: Driver, given: ConformanceCase): Promise<void> {
  const expected = ([given.outcome].flat() as Outcome[]).map(
    ({ process = 'p', status = 'COMPLETED', history, incidents = [], variables }) => ({
      process,
      status,
      history,
      incidents,
      variables,
    }),
  );
  const unseen = new Set(expected.filter(({ variables }) => variables === undefined).map(({ process }) => process));
  const found = comparable(await driver.look(), given).map(({ process, status, history, incidents, variables }) => ({
    process,
    status,
    history,
    incidents,
    variables: unseen.has(process) ? undefined : variables,
  }));
  expect(sorted(found)).toEqual(sorted(expected));
}

function sorted<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ item }) => item);
}
