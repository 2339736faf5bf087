/** Changes of commands, and of what they have claimed, in the statement of a step commit. */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { Parameter, raw, rowsOf, sql } from '../../sql/builder.js';
import { unindexed } from '../../sql/by-key.js';
import { storableText } from '../../sql/text.js';
import type { StepChanges } from '../project.js';
import { rejectedCommands, type Part, type StepParameters } from './part.js';

/** The outcome of a command whose row the statement itself inserts is written there. */
export function commandParts(step: StepParameters, commit: StepCommit, changes: StepChanges): Part[] {
  const outcomes = commit.outcomes.filter(({ number }) => number !== commit.result?.number);
  const rejected = rejectedCommands(commit);
  return [
    ...(outcomes.length > 0 ? [outcomesWritten(step, outcomes)] : []),
    ...(rejected.length > 0 ? claimsReleased(step, rejected, changes) : []),
    ...(changes.commandsDeferred.length > 0 ? [deferred(step, commit, changes)] : []),
  ];
}

function outcomesWritten({ workflowID }: StepParameters, outcomes: readonly CommandOutcome[]): Part {
  const outcome = rowsOf('o', outcomes, {
    number: ['integer', ({ number }) => number],
    status: ['text', ({ status }) => status],
    code: ['text', ({ code }) => code ?? null],
    message: ['text', ({ message }) => message ?? null],
    issues: ['json', ({ issues }) => (issues === undefined ? null : JSON.stringify(issues.map(storableText)))],
  });
  return {
    name: 'outcomes',
    sql: sql`
      UPDATE commands c SET status = o.status, code = o.code, message = o.message, issues = o.issues, applied_at = now()
      FROM writable w, ${outcome}
      WHERE c.workflow_id = ${workflowID} AND c.number = o.number
      RETURNING c.number, c.awaited`,
  };
}

/**
 * A rejected command does not end anything, so another one may end what it had claimed. Rows that this step ends are
 * excluded, because one statement changes a row only once.
 */
function claimsReleased({ workflowID }: StepParameters, numbers: number[], changes: StepChanges): Part[] {
  const rejected = new Parameter(numbers);
  const release = (
    table: 'jobs' | 'user_tasks' | 'incidents',
    open: string,
    ended: Map<number, unknown>,
    also = '',
  ): Part => ({
    name: `${table}_released`,
    sql: sql`
      UPDATE ${raw(table)} t SET ending_command = NULL${raw(also)} FROM writable w
      WHERE t.workflow_id = ${workflowID} AND t.ending_command = ANY(${rejected}::integer[]) AND ${raw(`${unindexed('t.status')} = '${open}'`)}
        AND t.number <> ALL(${[...ended.keys()]}::integer[])`,
  });
  const ofClient = ', ended_by_client = NULL, ending_sha256 = NULL, available_at = now()';
  return [
    release('jobs', 'PENDING', changes.jobsEnded, ofClient),
    release(
      'user_tasks',
      'CREATED',
      new Map<number, unknown>([...changes.userTasksEnded, ...changes.userTasksChanged]),
    ),
    release('incidents', 'OPEN', changes.incidentsEnded),
  ];
}

/** The instance has them; they need not be delivered again. */
function deferred({ workflowID }: StepParameters, { outcomes }: StepCommit, { commandsDeferred }: StepChanges): Part {
  const done = new Set(outcomes.map(({ number }) => number));
  const open = commandsDeferred.filter((number) => !done.has(number));
  return {
    name: 'commands_deferred',
    sql: sql`
      UPDATE commands c SET deliver_at = 'infinity' FROM writable w
      WHERE c.workflow_id = ${workflowID} AND c.number = ANY(${open}::integer[])`,
  };
}
