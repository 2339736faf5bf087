/**
 * Turns: a runner takes the turn of a backtest, compares some of its instances, and writes their outcomes together with the
 * sums. A backtest belongs to no process; when a runner dies, the next one takes the turn once it is due again, and nothing
 * is counted twice.
 */
import { createHash, randomUUID } from 'node:crypto';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { storableText } from '../sql/text.js';
import { Sketch } from '../statistics/sketch.js';
import { takeTurnForRows, turnsOfDue, turnTaken, type ProjectTurn } from '../turns/project-turns.js';
import type { BacktestedVersion, BacktestItem, BacktestOutcome, FlowCounts } from './backtests.js';

/** A turn that is not kept for so long is lost to another runner. */
const MAX_TURN = "interval '15 seconds'";
const MAX_REASON_LENGTH = 1_000;
const MAX_EXAMPLES = 5;

export interface BacktestTurn extends BacktestedVersion {
  lease: string;
  /** So far. */
  flows: FlowCounts;
}

/** An instance to compare. */
export interface ItemToCompare {
  position: number;
  workflowID: string;
}

/** The outcome of an instance, with how often its flows were taken. */
export interface ComparedItem {
  item: Omit<BacktestItem, 'position' | 'outcome'> & { outcome: BacktestOutcome };
  position: number;
  flows: FlowCounts;
}

/**
 * Takes the turn of one backtest that is due, by turns of their projects.
 * @param projects the projects that are next; moves on
 * @param resting projects that are left out
 */
export async function takeBacktestTurn(
  database: Database,
  projects: ProjectTurn,
  resting: readonly string[] = [],
): Promise<BacktestTurn | undefined> {
  const due = { table: 'backtests', where: 'completed_at IS NULL', time: 'due_at' };
  const [found] = await takeTurnForRows<Omit<BacktestTurn, 'backtestID'> & { backtestID: string | null }>(
    database,
    projects,
    `WITH RECURSIVE ${turnsOfDue({ ...due, most: '1', after: '$3', except: '$2', projectsAtOnce: 1 })}, chosen AS (
       SELECT b.id FROM turns p CROSS JOIN LATERAL (
         SELECT id FROM backtests WHERE project_id = p.project_id AND completed_at IS NULL AND due_at <= now()
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) b LIMIT 1
     ), taken AS (
       UPDATE backtests b SET lease = $1::uuid, due_at = now() + ${MAX_TURN} FROM chosen WHERE b.id = chosen.id
       RETURNING b.id AS "backtestID", b.lease, b.project_id AS "projectID", b.definition_id AS "definitionID", b.graph_sha256 AS "graphSha256", b.flows
     )
     SELECT turn.*, t.* FROM (SELECT ${turnTaken}) turn LEFT JOIN taken t ON true`,
    [randomUUID(), resting],
    1,
  );
  return found?.backtestID ? (found as BacktestTurn) : undefined;
}

/** Projects that have backtests under way; reads one row of each. */
export async function countProjects(database: Database): Promise<number> {
  const next = (after: string) =>
    `(SELECT project_id FROM backtests WHERE completed_at IS NULL AND project_id > ${after} ORDER BY project_id LIMIT 1)`;
  const counted = await firstRow<{ count: number }>(
    database,
    `WITH RECURSIVE under_way AS (
       SELECT ${next("''")} AS project_id UNION ALL SELECT ${next('u.project_id')} FROM under_way u WHERE u.project_id IS NOT NULL
     ) SELECT count(project_id)::integer AS count FROM under_way`,
    [],
  );
  return counted!.count;
}

/** @returns whether the runner still has the turn */
export async function keepTurn(database: Database, { backtestID, lease }: BacktestTurn): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE backtests SET due_at = now() + ${MAX_TURN} WHERE id = $1 AND lease = $2 AND status = 'RUNNING'`,
    [backtestID, lease],
  );
  return rowCount === 1;
}

/** The version to compare with, as JSON text; undefined if the backtest is gone. */
export async function candidateGraph(database: Database, backtestID: string): Promise<string | undefined> {
  const found = await firstRow<{ graph: string | null }>(database, 'SELECT graph FROM backtests WHERE id = $1', [
    backtestID,
  ]);
  return found?.graph ?? undefined;
}

export async function itemsToCompare(database: Database, backtestID: string, most: number): Promise<ItemToCompare[]> {
  return rows<ItemToCompare>(
    database,
    `SELECT position, workflow_id AS "workflowID" FROM backtest_items WHERE backtest_id = $1 AND outcome IS NULL ORDER BY position LIMIT $2`,
    [backtestID, most],
  );
}

/**
 * Writes outcomes with the sums, in one transaction, and ends the turn.
 * @returns whether they were written: not if the backtest was canceled, or another runner has its turn
 */
export async function endTurn(
  database: Database,
  turn: BacktestTurn,
  compared: readonly ComparedItem[],
): Promise<boolean> {
  const { backtestID, lease } = turn;
  return database.transaction(async (transaction) => {
    const count = (outcome: BacktestOutcome) => compared.filter(({ item }) => item.outcome === outcome).length;
    const { rowCount } = await transaction.query(
      `UPDATE backtests SET same = same + $3, other_path = other_path + $4, other_result = other_result + $5, incident = incident + $6,
         unanswered = unanswered + $7, skipped = skipped + $8, flows = $9::json, lease = NULL, due_at = now()
       WHERE id = $1 AND lease = $2 AND status = 'RUNNING'`,
      [
        backtestID,
        lease,
        ...(['SAME', 'OTHER_PATH', 'OTHER_RESULT', 'INCIDENT', 'UNANSWERED', 'SKIPPED'] as const).map(count),
        JSON.stringify(sumOf([turn, ...compared].map(({ flows }) => flows))),
      ],
    );
    if (rowCount !== 1) return false;
    await writeItems(transaction, backtestID, compared);
    await writeGroups(transaction, backtestID, compared);
    await transaction.query(
      `UPDATE backtests SET status = 'COMPLETED', completed_at = now()
       WHERE id = $1 AND NOT EXISTS (SELECT FROM backtest_items WHERE backtest_id = $1 AND outcome IS NULL)`,
      [backtestID],
    );
    return true;
  });
}

/** Without a prototype: ids of flows are chosen by modelers. */
function sumOf(counts: readonly FlowCounts[]): FlowCounts {
  const sum = Object.create(null) as FlowCounts;
  for (const flows of counts)
    for (const [flowID, [before, after]] of Object.entries(flows)) {
      const present = (sum[flowID] ??= [0, 0]);
      present[0] += before;
      present[1] += after;
    }
  return sum;
}

async function writeItems(
  transaction: Transaction,
  backtestID: string,
  compared: readonly ComparedItem[],
): Promise<void> {
  await transaction.query(
    `UPDATE backtest_items i SET outcome = n.outcome, node_id = n."nodeID", occurrence = n.occurrence, expected = n.expected, found = n.found,
       variables = n.variables, duration_ms = n."durationMs", duration_before_ms = n."durationBeforeMs", reason = n.reason
     FROM json_to_recordset($2::json) AS n(position integer, outcome text, "nodeID" text, occurrence integer, expected json, found json,
       variables json, "durationMs" float8, "durationBeforeMs" float8, reason text)
     WHERE i.backtest_id = $1 AND i.position = n.position`,
    [backtestID, JSON.stringify(compared.map(({ position, item }) => ({ ...storable(item), position })))],
  );
}

/** Variables can have names that Postgres cannot decode. */
function storable<Item extends ComparedItem['item']>(item: Item): Item {
  return {
    ...item,
    variables: item.variables?.map(storableText) ?? null,
    reason: item.reason === null ? null : shortReason(item.reason),
  };
}

function shortReason(reason: string): string {
  const text = storableText(reason);
  return text.length <= MAX_REASON_LENGTH ? text : `${text.slice(0, MAX_REASON_LENGTH - 1)}…`;
}

interface Group {
  cause: string;
  outcome: BacktestOutcome;
  nodeID: string | null;
  reason: string;
  count: number;
  examples: string[];
  durations: Sketch;
  durationsBefore: Sketch;
}

/** No other process changes the groups: the transaction has locked the row of the backtest. */
async function writeGroups(
  transaction: Transaction,
  backtestID: string,
  compared: readonly ComparedItem[],
): Promise<void> {
  const groups = groupsOf(compared);
  if (groups.length === 0) return;
  const present = await rows<{ cause: string; durations: Buffer; durationsBefore: Buffer }>(
    transaction,
    'SELECT cause, durations, durations_before AS "durationsBefore" FROM backtest_groups WHERE backtest_id = $1 AND cause = ANY ($2::text[])',
    [backtestID, groups.map(({ cause }) => cause)],
  );
  const byCause = new Map(groups.map((group) => [group.cause, group]));
  for (const { cause, durations, durationsBefore } of present) {
    byCause.get(cause)!.durations.mergeEncoded(durations);
    byCause.get(cause)!.durationsBefore.mergeEncoded(durationsBefore);
  }
  await transaction.query(
    `INSERT INTO backtest_groups AS g (backtest_id, cause, outcome, node_id, reason, count, examples, durations, durations_before)
     SELECT $1, n.cause, n.outcome, n."nodeID", n.reason, n.count, ARRAY (SELECT json_array_elements_text(n.examples)),
       decode(n.durations, 'hex'), decode(n."durationsBefore", 'hex')
     FROM json_to_recordset($2::json) AS n(cause text, outcome text, "nodeID" text, reason text, count integer, examples json, durations text, "durationsBefore" text)
     ON CONFLICT (backtest_id, cause) DO UPDATE SET count = g.count + excluded.count, examples = (g.examples || excluded.examples)[1:${MAX_EXAMPLES}],
       durations = excluded.durations, durations_before = excluded.durations_before`,
    [
      backtestID,
      JSON.stringify(
        groups.map(({ durations, durationsBefore, ...group }) => ({
          ...group,
          durations: durations.encode().toString('hex'),
          durationsBefore: durationsBefore.encode().toString('hex'),
        })),
      ),
    ],
  );
}

/** Those that are not the same, by cause. */
function groupsOf(compared: readonly ComparedItem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { item } of compared) {
    if (item.outcome === 'SAME') continue;
    const { workflowID, outcome, nodeID, durationMs, durationBeforeMs } = item;
    const reason = shortReason(item.reason ?? '');
    const cause = createHash('sha256')
      .update(JSON.stringify([outcome, nodeID, reason]))
      .digest('hex');
    let group = groups.get(cause);
    if (!group) {
      const [durations, durationsBefore] = [new Sketch(), new Sketch()];
      group = { cause, outcome, nodeID, reason, count: 0, examples: [], durations, durationsBefore };
      groups.set(cause, group);
    }
    group.count += 1;
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(workflowID);
    if (durationMs !== null) group.durations.add(durationMs);
    if (durationBeforeMs !== null) group.durationsBefore.add(durationBeforeMs);
  }
  return [...groups.values()];
}
