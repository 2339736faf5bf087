/** Accepting a batch: its targets are chosen and written by the statement that writes the batch, and never change. */
import { firstRow, rows, type Queryable } from '../sql/database.js';
import type { Filter } from '../sql/page.js';
import { jsonText } from '../sql/text.js';
import { executionKey, parseExecutionKey } from '../sql/ids.js';
import type { BatchInput, BatchOperation, ShownInput } from './batches.js';

export const MAX_TARGETS = 100_000;
const MAX_EXAMPLES = 20;

/** The targets of a batch: those that match now, or the named ones. */
export type Targets =
  | { kind: 'instances'; matching: Filter }
  | { kind: 'instances'; workflowIDs: readonly string[] }
  | { kind: 'incidents'; matching: Filter }
  | { kind: 'incidents'; incidentIDs: readonly string[] };

export interface BatchRequest {
  projectID: string;
  operation: BatchOperation;
  targets: Targets;
  /** As given, to show it. */
  filter?: object | undefined;
  input: BatchInput;
  sourceDefinitionID?: string | undefined;
  reason?: string | undefined;
  createdBy: string;
  itemsPerSecond: number;
}

/** `tooMany`: nothing was written. */
export type Accepted = { kind: 'created'; batchID: string; total: number } | { kind: 'tooMany'; total: number };

/** Writes the batch with its targets. Announce it to the outbox relays after the commit. */
export async function createBatch(database: Queryable, request: BatchRequest): Promise<Accepted> {
  const { projectID, operation, targets, filter, input, sourceDefinitionID, reason, createdBy, itemsPerSecond } =
    request;
  const { text, values } = targetsOf(targets, projectID);
  const place = values.length;
  const [created] = await rows<{ batchID: string | null; total: number }>(
    database,
    `WITH target AS MATERIALIZED (
       ${text}
     ), counted AS (
       SELECT count(*)::integer AS total FROM target
     ), batch AS (
       INSERT INTO batches (project_id, operation, filter, input, shown, source_definition_id, reason, created_by, items_per_second, total)
       SELECT $${place + 1}, $${place + 2}, $${place + 3}::json, $${place + 4}::json, $${place + 5}::json, $${place + 6}::uuid,
         $${place + 7}::text, $${place + 8}, $${place + 9}::integer, total FROM counted WHERE total <= ${MAX_TARGETS} RETURNING id
     ), written AS (
       INSERT INTO batch_items (batch_id, position, workflow_id, incident)
       SELECT batch.id, target.position, target.workflow_id, target.incident FROM batch, target
     )
     SELECT (SELECT id FROM batch) AS "batchID", total FROM counted`,
    [
      ...values,
      projectID,
      operation,
      jsonText(filter),
      jsonText(input),
      jsonText(withoutValues(input)),
      sourceDefinitionID ?? null,
      reason ?? null,
      createdBy,
      itemsPerSecond,
    ],
  );
  const { batchID, total } = created!;
  if (batchID !== null) return { kind: 'created', batchID, total };
  return { kind: 'tooMany', total: await countTargets(database, targets) };
}

/** How many targets a batch would have, and the first of them. Writes nothing. */
export async function previewTargets(
  database: Queryable,
  projectID: string,
  targets: Targets,
): Promise<{ total: number; first: string[] }> {
  const { text, values } = targetsOf(targets, projectID);
  const found = await firstRow<{ total: number; first: [string, number | null][] | null }>(
    database,
    `WITH target AS MATERIALIZED (
       ${text}
     )
     SELECT (SELECT count(*)::integer FROM target) AS total,
       (SELECT json_agg(json_build_array(workflow_id, incident) ORDER BY position) FROM target WHERE position <= ${MAX_EXAMPLES}) AS first`,
    values,
  );
  const first = (found!.first ?? []).map(([workflowID, incident]) =>
    incident === null ? workflowID : executionKey(workflowID, incident),
  );
  const total = found!.total > MAX_TARGETS ? await countTargets(database, targets) : found!.total;
  return { total, first };
}

async function countTargets(database: Queryable, targets: Targets): Promise<number> {
  const { text, values } = (targets as { matching: Filter }).matching;
  const table = targets.kind === 'instances' ? 'instances i' : 'incidents n';
  const [counted] = await rows<{ total: number }>(
    database,
    `SELECT count(*)::integer AS total FROM ${table} ${text}`,
    values,
  );
  return counted!.total;
}

/** SQL: position, workflow_id and incident of each target, oldest first; one more than are allowed shows the excess. */
function targetsOf(targets: Targets, projectID: string): { text: string; values: unknown[] } {
  if ('matching' in targets) {
    const [columns, from, age] =
      targets.kind === 'instances'
        ? ['i.workflow_id, NULL::integer AS incident', 'instances i', 'i.number']
        : ['n.workflow_id, n.number AS incident', 'incidents n', 'n.raised_at, n.workflow_id, n.number'];
    return {
      text: `SELECT row_number() OVER () AS position, chosen.* FROM (
         SELECT ${columns} FROM ${from} ${targets.matching.text} ORDER BY ${age} LIMIT ${MAX_TARGETS + 1}
       ) AS chosen`,
      values: targets.matching.values,
    };
  }
  return targets.kind === 'instances'
    ? namedInstances(targets.workflowIDs, projectID)
    : namedIncidents(targets.incidentIDs, projectID);
}

/** Ids that name nothing come last, in the given order. */
function namedInstances(workflowIDs: readonly string[], projectID: string) {
  return {
    text: `SELECT row_number() OVER (ORDER BY i.number NULLS LAST, given.place) AS position, given.workflow_id, NULL::integer AS incident
       FROM unnest($1::text[]) WITH ORDINALITY AS given(workflow_id, place)
       LEFT JOIN instances i ON i.workflow_id = given.workflow_id AND i.project_id = $2`,
    values: [[...new Set(workflowIDs)], projectID],
  };
}

function namedIncidents(incidentIDs: readonly string[], projectID: string) {
  const keys = [...new Set(incidentIDs)].map((id) => parseExecutionKey(id)!);
  return {
    text: `SELECT row_number() OVER (ORDER BY n.raised_at NULLS LAST, given.place) AS position, given.workflow_id, given.number AS incident
       FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS given(workflow_id, number, place)
       LEFT JOIN incidents n ON n.workflow_id = given.workflow_id AND n.number = given.number AND n.project_id = $3`,
    values: [keys.map(({ workflowID }) => workflowID), keys.map(({ number }) => number), projectID],
  };
}

function withoutValues({ variables, instructions, migration, nodeID }: BatchInput): ShownInput {
  const namesOf = (values: object | undefined) => values && { names: Object.keys(values) };
  return {
    ...namesOf(variables),
    ...(nodeID !== undefined && { nodeID }),
    ...(instructions && {
      instructions: instructions.map(({ type, nodeID, ...rest }) => ({
        type,
        nodeID,
        ...namesOf('variables' in rest ? rest.variables : undefined),
      })),
    }),
    ...(migration && {
      migration: {
        targetVersion: migration.targetVersion,
        ...(migration.elementMappings && { elementMappings: migration.elementMappings }),
        ...namesOf(migration.variables),
      },
    }),
  };
}
