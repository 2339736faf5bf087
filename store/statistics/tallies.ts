/** Sums of what one turn of the fold counts, written by addition. */
import { rows, type Transaction } from '../sql/database.js';
import { floorTo, unitLengths, type Unit } from './range.js';
import { addRow, counters, distributions, noSums, sumsColumns, type Sums, type SumsRow } from './rows.js';

/** A version of a process. */
export interface Version {
  projectID: string;
  processID: string;
  version: number;
}

interface Tally extends Version {
  nodeID: string;
  unit: Unit;
  /** Epoch milliseconds. */
  time: number;
  sums: Sums;
}

export class Tallies {
  readonly #tallies = new Map<string, Tally>();

  /** @param change is called for the hour and for the day of the time */
  add({ projectID, processID, version }: Version, nodeID: string, at: number, change: (sums: Sums) => void): void {
    for (const unit of ['hour', 'day'] as const) {
      const time = floorTo(unitLengths[unit], at);
      const key = JSON.stringify([projectID, processID, version, nodeID, unit, time]);
      const tally = this.#tallies.get(key) ?? { projectID, processID, version, nodeID, unit, time, sums: noSums() };
      change(tally.sums);
      this.#tallies.set(key, tally);
    }
  }

  /** The transaction has the lock of the fold, so that nothing else changes the rows in between. */
  async write(transaction: Transaction): Promise<void> {
    const tallies = [...this.#tallies.values()];
    if (tallies.length === 0) return;
    const keys = [
      tallies.map(({ projectID }) => projectID),
      tallies.map(({ processID }) => processID),
      tallies.map(({ nodeID }) => nodeID),
      tallies.map(({ unit }) => unit),
      tallies.map(({ time }) => time),
      tallies.map(({ version }) => version),
    ];
    for (const row of await rows<SumsRow & { index: number }>(transaction, readStatement, keys))
      addRow(tallies[row.index - 1]!.sums, row);
    await transaction.query(writeStatement, [
      ...keys,
      ...counters.map((counter) => tallies.map(({ sums }) => sums[counter])),
      ...distributions.map((name) => tallies.map(({ sums }) => (sums[name].isEmpty() ? null : sums[name].encode()))),
    ]);
  }
}

const keyColumns = 'project_id, process_id, node_id, unit, time, version';
const givenKeys = `$1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::integer[]`;

const readStatement = `
  SELECT g.index::int AS index, ${sumsColumns}
  FROM unnest(${givenKeys}) WITH ORDINALITY AS g(project, process, node, in_unit, at, of_version, index)
  JOIN statistics s ON s.project_id = g.project AND s.process_id = g.process AND s.unit = g.in_unit
    AND s.time = to_timestamp(g.at / 1000) AND s.node_id = g.node AND s.version = g.of_version`;

const valueColumns = [...counters, ...distributions];
const givenValues = [
  ...counters.map((_, index) => `$${7 + index}::float8[]`),
  ...distributions.map((_, index) => `$${7 + counters.length + index}::bytea[]`),
];

const writeStatement = `
  INSERT INTO statistics (${keyColumns}, ${valueColumns.join(', ')})
  SELECT project, process, node, in_unit, to_timestamp(at / 1000), of_version, ${valueColumns.join(', ')}
  FROM unnest(${givenKeys}, ${givenValues.join(', ')}) AS g(project, process, node, in_unit, at, of_version, ${valueColumns.join(', ')})
  ON CONFLICT (project_id, process_id, unit, time, node_id, version)
  DO UPDATE SET ${valueColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
