/** The steps and commands of an instance that a backtest reads, as texts that a thread parses. */
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { commandOf } from '../instances/commands.js';
import { atOneMoment } from '../steps/recorded-steps.js';
import type { CommandBody, CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';

/** Characters of its steps and commands. An instance with more is not compared, because it would take all memory. */
export const MAX_CHARACTERS = 24 * 1024 * 1024;
/** Rows of one read, until their size is known. */
const FIRST_AT_ONCE = 16;
const MAX_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

export interface RecordedInstance {
  kind: 'read';
  /** The version that it ran. */
  definitionID: string;
  graphSha256: string;
  isRedacted: boolean;
  /** Each `{inputs, facts}`, as JSON texts. */
  steps: string[];
  /** As JSON texts, with their status. */
  commands: string[];
}

/** `gone`: it was removed. `tooLarge`: it has more than a backtest reads. */
export type ReadInstance = RecordedInstance | { kind: 'gone' } | { kind: 'tooLarge' };

/** As of one moment, so that neither a redaction nor retention is seen in part. */
export function readRecordedInstance(database: Database, projectID: string, workflowID: string): Promise<ReadInstance> {
  return atOneMoment(database, async (moment) => {
    const found = await firstRow<Pick<RecordedInstance, 'definitionID' | 'graphSha256' | 'isRedacted'>>(
      moment,
      `SELECT d.id AS "definitionID", d.graph_sha256 AS "graphSha256", i.redacted_variables <> '{}' AS "isRedacted"
       FROM instances i JOIN definitions d ON d.id = i.definition_id WHERE i.workflow_id = $1 AND i.project_id = $2`,
      [workflowID, projectID],
    );
    if (!found) return { kind: 'gone' };
    const steps = await readTexts(moment, workflowID, readSteps, MAX_CHARACTERS);
    if (!steps) return { kind: 'tooLarge' };
    const left = MAX_CHARACTERS - steps.reduce((sum, { length }) => sum + length, 0);
    const commands = await readTexts(moment, workflowID, readCommands, left);
    return commands ? { kind: 'read', ...found, steps, commands } : { kind: 'tooLarge' };
  });
}

interface NumberedText {
  number: number;
  text: string;
}

type Reader = (moment: Transaction, workflowID: string, after: number, most: number) => Promise<NumberedText[]>;

/** @returns undefined if they have more than `most` characters */
async function readTexts(
  moment: Transaction,
  workflowID: string,
  read: Reader,
  most: number,
): Promise<string[] | undefined> {
  const texts: string[] = [];
  let left = most;
  let atOnce = FIRST_AT_ONCE;
  for (let after = 0; ;) {
    const found = await read(moment, workflowID, after, atOnce);
    const characters = found.reduce((sum, { text }) => sum + text.length, 0);
    left -= characters;
    if (left < 0) return undefined;
    for (const { text } of found) texts.push(text);
    if (found.length < atOnce) return texts;
    after = found.at(-1)!.number;
    atOnce = Math.max(1, Math.min(MAX_AT_ONCE, Math.floor((atOnce * CHARACTERS_AT_ONCE) / Math.max(1, characters))));
  }
}

function readSteps(moment: Transaction, workflowID: string, after: number, most: number): Promise<NumberedText[]> {
  return rows<NumberedText>(
    moment,
    `SELECT number, '{"inputs":' || inputs::text || ',"facts":' || facts::text || '}' AS text FROM steps
     WHERE workflow_id = $1 AND number > $2 ORDER BY number LIMIT $3`,
    [workflowID, after, most],
  );
}

interface CommandRow {
  number: number;
  body: CommandBody;
  variables: Variables | null;
  actor: string | null;
  reason: string | null;
  status: CommandOutcome['status'] | 'PENDING';
}

/** Those whose variables were removed are absent. */
async function readCommands(
  moment: Transaction,
  workflowID: string,
  after: number,
  most: number,
): Promise<NumberedText[]> {
  const found = await rows<CommandRow & { isThere: boolean }>(
    moment,
    `SELECT c.number, c.body, s.variables, c.actor, c.reason, c.status, c.payload_id IS NULL OR s.publication_id IS NOT NULL AS "isThere"
     FROM commands c LEFT JOIN signal_payloads s ON s.publication_id = c.payload_id
     WHERE c.workflow_id = $1 AND c.number > $2 ORDER BY c.number LIMIT $3`,
    [workflowID, after, most],
  );
  return found.map(({ isThere, ...command }) => ({
    number: command.number,
    text: isThere ? JSON.stringify(recordedCommand(command)) : '',
  }));
}

function recordedCommand({ number, body, variables, actor, reason, status }: CommandRow) {
  const whole = variables === null ? body : ({ ...body, variables } as CommandBody);
  return { ...commandOf(number, whole, actor, reason), status: status === 'PENDING' ? 'REJECTED' : status };
}
