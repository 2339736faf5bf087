/**
 * Overwriting of the stored values of one ended instance, a page of rows at a time. Rows without values to redact are
 * not written, so that a page may be overwritten again.
 */
import { apply } from '@perdure/engine/apply.js';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { StepInputs } from '@perdure/engine/contract/step-commit.js';
import { redactEvaluation, redactCommand } from '@perdure/engine/redaction/commands.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { redactVariables, type RedactedNames } from '@perdure/engine/redaction/variables.js';
import { firstRow, rows, type Transaction } from '../sql/database.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import { jsonText } from '../sql/text.js';
import { stateAt } from '../steps/replay.js';

export interface InstanceToRedact {
  workflowID: string;
  names: RedactedNames;
}

/** @returns the number of the last row that is done; undefined if none was left */
type OverwritePage = (
  transaction: Transaction,
  instance: InstanceToRedact,
  done: number,
) => Promise<number | undefined>;

/** In the order in which they are overwritten. */
export const parts = ['steps', 'commands', 'jobs', 'agentTurns', 'userTasks', 'payloads', 'row'] as const;
export type Part = (typeof parts)[number];

/** Step commits hold up to 256 KiB of facts, and results of decisions. */
const STEPS_AT_ONCE = 32;
/** A command holds up to 1 MiB. */
const COMMANDS_AT_ONCE = 16;
const ROWS_AT_ONCE = 50;

export const overwritePage: Readonly<Record<Part, OverwritePage>> = {
  steps: overwriteSteps,
  commands: overwriteCommands,
  // A digest of a result or a key would confirm a guess of its values.
  jobs: overwriteWork('jobs', ['local_variables'], ', ending_sha256 = NULL, limit_key = NULL, limit_group = NULL'),
  agentTurns: overwriteTurns,
  userTasks: overwriteWork('user_tasks', ['local_variables', 'completion_variables']),
  payloads: deletePayloads,
  row: overwriteRow,
};

interface Step {
  number: number;
  factsBefore: number;
  inputs: StepInputs;
  facts: Fact[];
  hasSnapshot: boolean;
}

/** Snapshots are folded from the redacted facts, from the last one that is done. */
async function overwriteSteps(
  transaction: Transaction,
  { workflowID, names }: InstanceToRedact,
  done: number,
): Promise<number | undefined> {
  const steps = await rows<Step>(
    transaction,
    `SELECT number, facts_before AS "factsBefore", inputs, facts, snapshot IS NOT NULL AS "hasSnapshot" FROM steps
     WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT ${STEPS_AT_ONCE}`,
    [workflowID, done],
  );
  if (steps.length === 0) return undefined;
  const hasSnapshots = steps.some(({ hasSnapshot }) => hasSnapshot);
  const state = hasSnapshots ? (await stateAt(transaction, workflowID, steps[0]!.factsBefore)).state : undefined;
  const changed = steps.flatMap((step) => {
    const redacted = redactStep(step, names);
    if (state) for (const fact of redacted.facts) apply(state, fact, step.inputs.now);
    if (step.hasSnapshot) return [{ ...redacted, snapshot: jsonText(state) }];
    return redacted.isChanged ? [{ ...redacted, snapshot: null }] : [];
  });
  await transaction.query(
    `UPDATE steps s SET facts = n.facts::json, inputs = n.inputs::json, snapshot = n.snapshot::json
     FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[]) AS n(number, facts, inputs, snapshot)
     WHERE s.workflow_id = $1 AND s.number = n.number`,
    [
      workflowID,
      changed.map(({ number }) => number),
      changed.map(({ facts }) => jsonText(facts)),
      changed.map(({ inputs }) => jsonText(inputs)),
      changed.map(({ snapshot }) => snapshot),
    ],
  );
  return steps.at(-1)!.number;
}

function redactStep({ number, inputs, facts }: Step, names: RedactedNames) {
  const redacted = facts.map((fact) => redactFact(fact, names));
  return {
    number,
    facts: redacted,
    inputs: inputs.evaluations ? { ...inputs, evaluations: inputs.evaluations.map(redactEvaluation) } : inputs,
    isChanged: inputs.evaluations !== undefined || redacted.some((fact, index) => fact !== facts[index]),
  };
}

/** Variables of a large signal are stored once for all its instances, so this one lets go of them. */
async function overwriteCommands(
  transaction: Transaction,
  { workflowID, names }: InstanceToRedact,
  done: number,
): Promise<number | undefined> {
  const commands = await rows<{ number: number; body: CommandBody }>(
    transaction,
    `SELECT number, body FROM commands WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT ${COMMANDS_AT_ONCE}`,
    [workflowID, done],
  );
  const redacted = commands.map(({ body }) => jsonText(redactCommand(body, names)));
  await transaction.query(
    `UPDATE commands c SET body = n.body::json, payload_id = NULL FROM unnest($2::integer[], $3::text[]) AS n(number, body)
     WHERE c.workflow_id = $1 AND c.number = n.number`,
    [workflowID, commands.map(({ number }) => number), redacted],
  );
  return commands.at(-1)?.number;
}

/** @param also SQL of further assignments */
function overwriteWork(table: 'jobs' | 'user_tasks', columns: readonly string[], also = ''): OverwritePage {
  const assignments = columns.map((column) => `${column} = n.${column}::json`).join(', ');
  const arrays = columns.map((_column, index) => `$${index + 3}::text[]`).join(', ');
  return async (transaction, { workflowID, names }, done) => {
    const found = await rows<{ number: number; values: (Variables | null)[] }>(
      transaction,
      `SELECT number, json_build_array(${columns.join(', ')}) AS values FROM ${table}
       WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
      [workflowID, done],
    );
    const redact = (variables: Variables | null | undefined) =>
      variables ? jsonText(redactVariables(variables, names)) : null;
    await transaction.query(
      `UPDATE ${table} w SET ${assignments}${also} FROM unnest($2::integer[], ${arrays}) AS n(number, ${columns.join(', ')})
       WHERE w.workflow_id = $1 AND w.number = n.number`,
      [
        workflowID,
        found.map(({ number }) => number),
        ...columns.map((_column, index) => found.map(({ values }) => redact(values[index]))),
      ],
    );
    return found.at(-1)?.number;
  };
}

/** A conversation can quote any variable, so nothing of it is kept but the tools, the tokens, and the times. */
async function overwriteTurns(
  transaction: Transaction,
  { workflowID }: InstanceToRedact,
  done: number,
): Promise<number | undefined> {
  if (done > 0) return undefined;
  await transaction.query(
    `UPDATE agent_turns SET text = NULL, calls = coalesce((
       SELECT json_agg(json_build_object('id', call->'id', 'elementId', call->'elementId') ORDER BY place)
       FROM json_array_elements(calls) WITH ORDINALITY AS c(call, place)), '[]')
     WHERE workflow_id = $1`,
    [workflowID],
  );
  return 1;
}

/** Large values of the workflow, which only its history in Temporal needs; that is deleted as well. */
async function deletePayloads(transaction: Transaction, { workflowID }: InstanceToRedact): Promise<number | undefined> {
  const { rowCount } = await transaction.query(
    `DELETE FROM stored_payloads WHERE ctid = ANY (ARRAY (
       SELECT ctid FROM stored_payloads WHERE workflow_id = $1 LIMIT ${ROWS_AT_ONCE}))`,
    [workflowID],
  );
  return rowCount ? 0 : undefined;
}

/** The search summary lacks the names: a search counts them as missing. */
async function overwriteRow(
  transaction: Transaction,
  { workflowID, names }: InstanceToRedact,
  done: number,
): Promise<number | undefined> {
  if (done > 0) return undefined;
  const row = await firstRow<{ variables: Variables }>(
    transaction,
    'SELECT variables FROM instances WHERE workflow_id = $1',
    [workflowID],
  );
  const variables = redactVariables(row!.variables, names);
  const searched = Object.fromEntries(Object.entries(variables).filter(([name]) => !names.has(name)));
  await transaction.query(
    'UPDATE instances SET variables = $2::json, search_summary = $3::jsonb WHERE workflow_id = $1',
    [workflowID, jsonText(variables), searchSummaryOf(searched)],
  );
  // Its input was for the first step.
  await transaction.query('DELETE FROM instance_starts WHERE workflow_id = $1', [workflowID]);
  return 1;
}
