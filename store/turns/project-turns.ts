/**
 * Work that is done for a few projects per statement, in turn: those after the ones served last, each with an equal share.
 * However much there is to do for one project, the others are served within a bounded number of statements.
 */
import type { QueryResultRow } from 'pg';
import { rows, type Queryable } from '../sql/database.js';

/** The last project that was served; empty before the first one. */
export interface ProjectTurn {
  after: string;
}

export function firstTurn(): ProjectTurn {
  return { after: '' };
}

/** Projects that one statement serves. */
export const PROJECTS_AT_ONCE = 20;

/**
 * SQL: the parts `due_projects` and `turns` of a WITH clause. `turns` has the columns of `projects` and `share`, the number
 * of rows that the statement may change for the project. What is chosen by shares needs a constant LIMIT as well: without
 * one, Postgres expects a large part of the table and reads all of it to change a few rows.
 * @param work `isDue` says whether there is work for the project `p`, by one index lookup; `most` rows are shared; `after` is the place of the parameter that `takeTurn` passes
 */
export function turnsOfProjects({ isDue, most, after }: { isDue: string; most: number; after: string }): string {
  return `due_projects AS MATERIALIZED (
       SELECT p.* FROM projects p WHERE p.id > ${after} AND ${isDue} ORDER BY p.id LIMIT ${PROJECTS_AT_ONCE}
     ), turns AS MATERIALIZED (
       SELECT *, greatest(1, ${most} / count(*) OVER ())::integer AS share FROM due_projects
     )`;
}

/**
 * SQL: the parts `heads` and `turns` of a WITH RECURSIVE clause, for rows that are due in the order of an index on project
 * and time. They read one row of each project that has any, however many it has. `turns` has `project_id` and `share`.
 * @param due `where` is the condition of the index, `time` the column that says when a row is due; otherwise as for `turnsOfProjects`
 */
export function turnsOfDue({
  table,
  where,
  time,
  most,
  after,
  except,
  projectsAtOnce = PROJECTS_AT_ONCE,
}: {
  table: string;
  where: string;
  time: string;
  most: string;
  after: string;
  /** Projects that are left out this time. */
  except?: string;
  /** Fewer, if the statement changes fewer rows. */
  projectsAtOnce?: number;
}): string {
  const first = (from: string) =>
    `SELECT project_id, ${time} AS due_at FROM ${table} WHERE ${where} AND ${from} ORDER BY project_id, ${time} LIMIT 1`;
  return `heads AS (
       (${first(`(${after}::text = '' OR project_id > ${after})`)})
       UNION ALL
       SELECT next.project_id, next.due_at FROM heads h CROSS JOIN LATERAL (${first('project_id > h.project_id')}) next
     ), due_projects AS MATERIALIZED (
       SELECT project_id AS id FROM heads WHERE due_at <= now()${except === undefined ? '' : ` AND project_id <> ALL (${except}::text[])`} LIMIT ${projectsAtOnce}
     ), turns AS MATERIALIZED (
       SELECT id AS project_id, greatest(1, ${most} / count(*) OVER ())::integer AS share FROM due_projects
     )`;
}

/**
 * SQL: true if there is a row, otherwise null. Not EXISTS, which Postgres may turn into a join that reads the whole table.
 * @param from the table, its conditions, and the order of an index: without an order, Postgres reads the table if the statistics
 * promise an early match
 */
export function oneOf(from: string): string {
  return `(SELECT true FROM ${from} LIMIT 1)`;
}

/** SQL: what the statement must return besides its own columns. */
export const turnTaken = `(SELECT max(id) FROM due_projects) AS last, (SELECT count(*)::integer FROM due_projects) AS projects`;

/**
 * Runs a statement for the next projects.
 * @param values the first parameters; the last one is the turn
 */
export async function takeTurn<Row extends QueryResultRow>(
  database: Queryable,
  turn: ProjectTurn,
  statement: string,
  values: unknown[],
): Promise<Row> {
  return (await takeTurnForRows<Row>(database, turn, statement, values))[0]!;
}

/**
 * As `takeTurn`, for a statement that returns several rows, and at least one.
 * @param projectsAtOnce as for `turnsOfDue`
 */
export async function takeTurnForRows<Row extends QueryResultRow>(
  database: Queryable,
  turn: ProjectTurn,
  statement: string,
  values: unknown[],
  projectsAtOnce = PROJECTS_AT_ONCE,
): Promise<(Row & { last: string | null; projects: number })[]> {
  const found = await rows<Row & { last: string | null; projects: number }>(database, statement, [
    ...values,
    turn.after,
  ]);
  const { last, projects } = found[0]!;
  turn.after = projects === projectsAtOnce ? last! : '';
  return found;
}
