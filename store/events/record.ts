/**
 * Writing events: SQL that a statement contains next to the change that the event tells, so that neither exists without
 * the other. For projects without a feed it is one lookup of the project.
 */
import type { EventType } from './types.js';

/** SQL expressions. */
export interface EventSource {
  /** Yields the row that changed. */
  from: string;
  projectID: string;
  type: EventType | { sql: string };
  subject: string;
  /** Absent for events of definitions and batches. */
  workflowID?: string;
  processID: string;
  /** Default: the beginning of the transaction. */
  time?: string;
  /** A `jsonb` object; nulls are left out. */
  data: string;
}

export function insertEvents({ from, ...source }: EventSource): string {
  return `${selectEvents(source)}
    FROM ${from} ${joinFeed(source.projectID)}`;
}

/** SQL: an insertion up to the clause FROM, which yields the row that changed and ends with `joinFeed`. */
export function selectEvents({
  projectID,
  type,
  subject,
  workflowID,
  processID,
  time,
  data,
}: Omit<EventSource, 'from'>): string {
  return `INSERT INTO events (project_id, type, subject, workflow_id, process_id, happened_at, data)
    SELECT ${projectID}, ${typeof type === 'string' ? `'${type}'` : type.sql}, ${subject}, ${workflowID ?? 'NULL'}, ${processID}, ${time ?? 'now()'},
      jsonb_strip_nulls(${data})`;
}

/** SQL: keeps the events of projects that have a feed. */
export function joinFeed(projectID: string): string {
  return `JOIN projects feed ON feed.id = ${projectID} AND feed.event_retention_ms IS NOT NULL`;
}

/** SQL: the members that the events of an instance have in common. */
export function dataOfInstance(instance: {
  workflowID: string;
  rootWorkflowID: string;
  businessID: string;
  /** Alias of a row of `definitions`. */
  definition: string;
}): string {
  const { workflowID, rootWorkflowID, businessID, definition } = instance;
  return `jsonb_build_object('workflowID', ${workflowID}, 'rootWorkflowID', nullif(${rootWorkflowID}, ${workflowID}),
    'businessId', ${businessID}) || ${dataOfDefinition(definition)}`;
}

/** SQL: the members that the events of a definition have in common. */
export function dataOfDefinition(definition: string): string {
  return `jsonb_build_object('definitionID', ${definition}.id, 'processId', ${definition}.process_id, 'processVersion', ${definition}.version)`;
}

/** SQL: the name of a user task in the version `definition`. */
export function taskName(definition: string, nodeID: string): string {
  return `(SELECT n.name FROM user_task_names n WHERE n.graph_sha256 = ${definition}.graph_sha256 AND n.node_id = ${nodeID})`;
}
