/**
 * Statistics against an oracle that reads whole histories. `STATISTICS_HISTORIES` sets how many are in the database,
 * (default 200). They are played, written, and compared in rounds, so that memory stays bounded.
 */
import pg from 'pg';
import { expect, it } from 'vitest';
import { findUnfolded, foldNext, rebuildStatistics } from '../../store/statistics/fold.js';
import { DAY, type Unit } from '../../store/statistics/range.js';
import { counters, distributions, type SumsRow } from '../../store/statistics/rows.js';
import { Sketch } from '../../store/statistics/sketch.js';
import { rows } from '../../store/sql/database.js';
import { Random } from '../engine/random/random.js';
import { base, seedsFrom } from '../engine/random/seeds.js';
import { playModel, writeHistories, type History } from './support/random-histories.js';
import { exactQuantile, keyOf, tell, type Told } from './support/statistics-oracle.js';
import { foldAll, useStore, valueOf } from './support/store.js';
import { openDatabase } from '../support/database.js';

const store = useStore();

const MODELS_OF_ROUND = 10;
const INSTANCES_OF_MODEL = 20;
const HISTORIES_OF_ROUND = MODELS_OF_ROUND * INSTANCES_OF_MODEL;
const histories = Number(process.env['STATISTICS_HISTORIES'] || HISTORIES_OF_ROUND);
const rounds = Math.ceil(histories / HISTORIES_OF_ROUND);

it(
  `the fold matches an oracle that reads whole histories, across broken connections and concurrent folds (RANDOM_SEED=${base})`,
  { timeout: 240_000 * rounds },
  async () => {
    /** Of the sums that matched, by process. */
    const matched = new Map<string, string>();
    const total: Round = { histories: 0, steps: 0, folds: 0, broken: 0, sums: 0 };
    for (const [index, seed] of seedsFrom([], rounds).entries()) {
      const round = await playRound(seed, matched);
      for (const figure of figures) total[figure] += round[figure];
      if (rounds > 1) console.log(`${index + 1} of ${rounds} rounds (RANDOM_SEED=${seed}): ${JSON.stringify(total)}`);
    }
    expect(total.broken).toBeGreaterThan(0);
    expect(await valueOf(store, 'SELECT count(*)::int AS value FROM statistics')).toBe(total.sums);
    expect(await checksums(), 'Later rounds changed sums of earlier ones').toEqual(matched);
    await rebuildStatistics(store.database);
    await foldAll(store);
    expect(await checksums(), 'A rebuild makes other sums').toEqual(matched);
  },
);

interface Round {
  histories: number;
  steps: number;
  /** Turns of the fold while steps were written. */
  folds: number;
  /** Those whose connection was cut. */
  broken: number;
  /** Rows of statistics. */
  sums: number;
}

const figures = ['histories', 'steps', 'folds', 'broken', 'sums'] as const;

async function playRound(seed: number, matched: Map<string, string>): Promise<Round> {
  const random = new Random(seed);
  const played: History[] = [];
  for (let model = 0; model < MODELS_OF_ROUND; model += 1)
    played.push(...(await playModel(store, random, INSTANCES_OF_MODEL)));
  const round: Round = { histories: 0, steps: 0, folds: 0, broken: 0, sums: 0 };
  for (const { steps } of played) {
    if (steps.length > 0) round.histories += 1;
    round.steps += steps.length;
  }
  await writeHistories(store, played, random, (steps, chance) => foldSometimes(steps, chance, round));
  await foldAll(store);
  const told = tell(played);
  const definitionIDs = [...new Set([...told.counts.keys()].map((key) => (JSON.parse(key) as [string])[0]))];
  const hours = await sums('hour', definitionIDs);
  const days = await sums('day', definitionIDs);
  round.sums = hours.length + days.length;
  try {
    expect(sorted(countsOf(hours))).toEqual(sorted(told.counts));
    expect(sorted(countsOf(days))).toEqual(sorted(byDay(told.counts)));
    expectQuantiles(hours, told);
    expectQuantiles(days, told);
  } catch (error) {
    if (error instanceof Error) error.message += ` (RANDOM_SEED=${seed})`;
    throw error;
  }
  for (const [processID, checksum] of await checksums(definitionIDs)) matched.set(processID, checksum);
  return round;
}

/** About once in 100 steps: three folds at once, of which one loses its connection. */
async function foldSometimes(steps: number, random: Random, round: Round): Promise<void> {
  if (!random.chance(1 - 0.99 ** steps)) return;
  const fatal = 1 + random.below(14);
  const dying = openDatabase(store.databaseUrl, { max: 1, Client: dyingClient(fatal) });
  const ended = await Promise.allSettled([foldNext(store.database), foldNext(store.database), foldNext(dying)]);
  await dying.end();
  round.folds += ended.length;
  round.broken += ended.filter(({ status }) => status === 'rejected').length;
  if (random.chance(0.1)) await findUnfolded(store.database);
}

interface Row extends SumsRow {
  definitionID: string;
  nodeID: string;
  time: Date;
}

const OF_VERSIONS = `FROM statistics s JOIN definitions d
  ON d.project_id = s.project_id AND d.process_id = s.process_id AND d.version = s.version`;

/** All sums of some versions, by hour or by day. */
async function sums(unit: Unit, definitionIDs: readonly string[]): Promise<Row[]> {
  return rows<Row>(
    store.database,
    `SELECT d.id AS "definitionID", node_id AS "nodeID", s.* ${OF_VERSIONS} WHERE unit = $1 AND d.id = ANY ($2::uuid[])
     ORDER BY s.project_id, s.process_id, s.version, s.node_id, s.time`,
    [unit, definitionIDs],
  );
}

/** Of all sums, or of those of some versions, by process. */
async function checksums(definitionIDs?: readonly string[]): Promise<Map<string, string>> {
  const found = await rows<{ processID: string; checksum: string }>(
    store.database,
    `SELECT s.process_id AS "processID", md5(string_agg(s::text, chr(10) ORDER BY s::text)) AS checksum ${OF_VERSIONS}
     WHERE $1::uuid[] IS NULL OR d.id = ANY ($1) GROUP BY s.process_id`,
    [definitionIDs],
  );
  return new Map(found.map(({ processID, checksum }) => [processID, checksum]));
}

function countsOf(found: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of found)
    for (const counter of counters) {
      const count = Number(row[counter]);
      if (count !== 0) counts.set(keyOf(row.definitionID, row.nodeID, row.time.getTime(), counter), count);
    }
  return counts;
}

function sorted(map: ReadonlyMap<string, number>): [string, number][] {
  return [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** The same by day. */
function byDay(counts: ReadonlyMap<string, number>): Map<string, number> {
  const days = new Map<string, number>();
  for (const [key, count] of counts) {
    const [definitionID, nodeID, time, counter] = JSON.parse(key) as [string, string, number, string];
    const day = keyOf(definitionID, nodeID, Math.floor(time / DAY) * DAY, counter);
    days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}

/** Of each node over all its rows, so that merged sketches are compared. */
function expectQuantiles(found: readonly Row[], told: Told): void {
  for (const name of distributions) {
    const merged = new Map<string, Sketch>();
    for (const { definitionID, nodeID, [name]: bytes } of found) {
      if (!bytes) continue;
      const key = JSON.stringify([definitionID, nodeID]);
      merged.set(key, (merged.get(key) ?? new Sketch()).mergeEncoded(bytes));
    }
    expect([...merged.keys()].toSorted(), name).toEqual([...told[name].keys()].toSorted());
    for (const [key, values] of told[name])
      for (const fraction of [0.01, 0.5, 0.95, 1]) {
        const exact = exactQuantile(values, fraction)!;
        expect(Math.abs(merged.get(key)!.quantile(fraction)! - exact), `${name} of ${key}`).toBeLessThanOrEqual(
          0.05 * exact,
        );
      }
  }
}

/** A driver whose connection the server ends at statement number `fatal`. */
function dyingClient(fatal: number): typeof pg.Client {
  let statements = 0;
  return class extends pg.Client {
    // All overloads of the driver accept a text or a query object first, and its values second.
    override query(query: unknown, values?: unknown, done?: unknown): never {
      statements += 1;
      return statements === fatal
        ? (super.query('SELECT pg_terminate_backend(pg_backend_pid())') as never)
        : (super.query(query as string, values as unknown[], done as never) as never);
    }
  };
}
