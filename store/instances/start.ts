/**
 * Starting an instance: first its row, then its workflow. Until its first step commit, the row in `instance_starts`
 * makes the outbox relay send it to Temporal, repeatedly if necessary.
 */
import type { Command, Delivery, StartInput, StartPlace } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { auditJson, insertEntry, type AuditDraft } from '../audit/entries.js';
import { dataOfInstance, insertEvents } from '../events/record.js';
import { isRunnableIn } from '../projects/tests.js';
import { admit, UNCONTROLLED, type Admission, type AdmissionRefusal } from '../processes/admission.js';
import { firstRow, preparedRows, type Database, type Queryable } from '../sql/database.js';
import { OWN_DELIVERY_SECONDS } from './commands.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import { refused, transactUnlessRefused, type Refusal } from '../sql/refusal.js';
import { optionalIndexedText } from '../sql/text.js';

/** One version of a process: by its id, or by the process (default: its newest version). */
export type VersionToStart =
  { definitionID: string } | { processID: string; version?: number | undefined; versionTag?: string | undefined };

export interface StartDetails {
  projectID: string;
  /** New and unguessable; created by the caller. */
  workflowID: string;
  variables: Variables;
  businessID?: string | undefined;
  startedBy?: string | undefined;
  /** The event that starts it (default: none, so the process starts at its none start event). */
  startNode?: string | undefined;
  /** Nodes to start at instead. */
  startAt?: readonly StartPlace[] | undefined;
  /** The ended instance that it repeats. */
  restartedFrom?: string | undefined;
  /** Which of the start event's definitions occurred, if it has several. */
  startTrigger?: number | undefined;
  /** Variables of the starting message or signal. */
  payload?: Variables | undefined;
  traceContext?: TraceContext | undefined;
  /** How long the caller waits for the result, which is announced until then. */
  resultWaitMilliseconds?: number | undefined;
  /** Absent for starts by messages, signals, timers, and calls. */
  audit?: AuditDraft | undefined;
  /** Only the outbox relay sends it, at once. */
  relayed?: boolean | undefined;
}

export type StartRequest = VersionToStart & StartDetails;

/** A written instance whose workflow must be started. */
export interface InstanceToStart {
  workflowID: string;
  projectID: string;
  definitionID: string;
  processID: string;
  processName?: string;
  version: number;
  businessID?: string;
  parentWorkflowID?: string;
  graphSha256: string;
  start: StartInput;
  /** Its rows have its first step: its workflow starts from them. */
  imported?: true;
}

/**
 * Sends committed rows to Temporal. Both calls may be repeated. They never reject: the outbox relay sends again what
 * does not arrive.
 */
export interface InstanceGateway {
  start(instance: InstanceToStart): Promise<void>;
  deliver(workflowID: string, command: Command, delivery: Delivery): Promise<void>;
}

export interface Started {
  kind: 'started';
  instance: InstanceToStart;
  /** It waits for a place: only the outbox relay starts its workflow. */
  queued: boolean;
  /** Its process has settings, whose rows the transaction has locked. */
  controlled: boolean;
}

/** SQL: which version of a process a caller asks for. The parameters are SQL too. */
const chosenVersion = ({ project, definition, process, version, tag }: { readonly [name: string]: string }) =>
  `${isRunnableIn(project!, 'project_id')} AND id = coalesce(${definition}::uuid, (
      SELECT id FROM definitions
      WHERE project_id = ${project} AND process_id = ${process}
        AND (${version}::integer IS NULL OR version = ${version}) AND (${tag}::text IS NULL OR version_tag = ${tag})
      ORDER BY version DESC LIMIT 1))`;

/**
 * Chooses the version, so a deployment comes entirely before or entirely after the start. Locks the definition's row FOR
 * SHARE: a suspension, which changes that row, comes entirely before or entirely after it as well. The lock is on the
 * row's newest version, so its suspension state is current, and a start comes entirely before or after the deletion of
 * its project.
 */
const startStatement = `
  WITH definition AS MATERIALIZED (
    SELECT id, process_id, process_name, version, graph_sha256, coalesce(suspended_at, starts_suspended_at) AS suspended_at, starts_by_call OR $9::boolean AS begins,
      $10::boolean AND forms -> 'start' IS NOT NULL AND (SELECT validate_forms FROM projects WHERE id = $1) AS unchecked,
      controlled AND project_id = $1 AND NOT $19::boolean AS controlled
    FROM definitions WHERE ${chosenVersion({ project: '$1', definition: '$2', process: '$11', version: '$12', tag: '$13' })} AND deleted_at IS NULL FOR SHARE
  ), startable AS (
    SELECT id FROM definition WHERE suspended_at IS NULL AND begins AND NOT unchecked AND NOT controlled
  ), instance AS (
    INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, business_id, started_by, variables,
      search_summary, result_awaited_until, restarted_from, concurrency_group, queued)
    SELECT $3, $1, id, $3, $4, $5, $6::json, $8::jsonb, now() + $14::integer * interval '1 millisecond', $16, $17::bigint, $18::boolean FROM startable
    RETURNING number
  ), start AS (
    INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at, queue_group, queue_rank)
    SELECT $3, $1, $7::json, CASE WHEN $18 THEN 'infinity' WHEN $20::boolean THEN now() ELSE now() + interval '${OWN_DELIVERY_SECONDS} seconds' END,
      CASE WHEN $18 THEN $17::bigint END, CASE WHEN $18 THEN number END FROM instance
  ), to_fold AS (
    INSERT INTO steps_to_fold (workflow_id) SELECT $3 FROM startable WHERE $18::boolean
  ), event AS (
    ${insertEvents({
      from: 'startable s JOIN definition d ON d.id = s.id',
      projectID: '$1',
      type: 'instance.started',
      subject: '$3',
      workflowID: '$3',
      processID: 'd.process_id',
      data: `${dataOfInstance({ workflowID: '$3::text', rootWorkflowID: '$3::text', businessID: '$4::text', definition: 'd' })} || jsonb_build_object('status', 'RUNNING', 'actor', $5::text)`,
    })}
  ), entry AS (
    ${insertEntry({ source: 'startable', draft: '$15', projectID: '$1', ids: { workflowID: '$3', definitionID: 'id::text' } })}
  )
  SELECT id AS "definitionID", process_id AS "processID", process_name AS "processName", version, graph_sha256 AS "graphSha256",
    suspended_at IS NOT NULL AS suspended, begins, unchecked, controlled FROM definition`;

interface StartedDefinition {
  definitionID: string;
  processID: string;
  processName: string | null;
  version: number;
  graphSha256: string;
  suspended: boolean;
  begins: boolean;
  unchecked: boolean;
  controlled: boolean;
}

export type StartRefusal = Refusal<'NOT_FOUND' | 'CONFLICT' | 'DEFINITION_SUSPENDED'> | AdmissionRefusal;

/**
 * Writes the instance. Pass a transaction if something else must be committed with it, otherwise a database.
 * @param checkForm called if the project checks submitted variables and the process has a start form; a result other
 * than undefined is returned, and nothing is written. The statement asks for the check, so starts of all other processes
 * cost nothing more.
 * @throws if `workflowID` is taken
 */
export async function startInstance<Refused = never>(
  database: Database,
  request: StartRequest,
  checkForm?: (database: Queryable, definitionID: string) => Promise<Refused | undefined>,
): Promise<Started | StartRefusal | Refused> {
  const started = await writeStart(database, request, { leavesOutChecked: checkForm !== undefined });
  if (started.kind === 'controlled') return startControlled(database, request, started);
  if (started.kind !== 'unchecked') return started;
  const { definitionID } = started;
  const refusedByForm = await checkForm!(database, definitionID);
  // The version whose form was checked, even if a newer one has been deployed since.
  return refusedByForm ?? startInstance(database, { ...request, definitionID });
}

/** Its process has settings: several statements in one transaction, which a refusal rolls back. */
function startControlled(
  database: Database,
  request: StartRequest,
  { definitionID, processID }: Controlled,
): Promise<Started | StartRefusal> {
  const { variables, payload } = request;
  return transactUnlessRefused(database, async (transaction): Promise<Started | StartRefusal> => {
    const admission = await admit(transaction, {
      ...request,
      processID,
      definitionID,
      businessID: request.businessID,
      variables: { ...variables, ...payload },
      byEvent: request.startNode !== undefined,
    });
    if (admission.kind === 'refused') return admission;
    return (await writeStart(transaction, { ...request, definitionID }, { admission })) as Started | StartRefusal;
  });
}

interface Controlled {
  kind: 'controlled';
  definitionID: string;
  processID: string;
}

/**
 * `unchecked`: not written, because the variables must be checked against the start form of this version first.
 * `controlled`: not written, because its process has settings and `admission` is absent.
 */
async function writeStart(
  database: Queryable,
  request: StartRequest,
  { leavesOutChecked = false, admission }: { leavesOutChecked?: boolean; admission?: Admission },
): Promise<Started | StartRefusal | { kind: 'unchecked'; definitionID: string } | Controlled> {
  const { projectID, workflowID, variables, businessID, startedBy } = request;
  const { group, queued, keyProblem } = admission ?? UNCONTROLLED;
  const input = { ...inputOf(request), ...(keyProblem !== undefined && { keyProblem }) };
  const asked: AskedVersion = request;
  const [definition] = await preparedRows<StartedDefinition>(database, 'start instance', startStatement, [
    projectID,
    asked.definitionID ?? null,
    workflowID,
    optionalIndexedText(businessID),
    optionalIndexedText(startedBy),
    JSON.stringify(variables),
    JSON.stringify(input),
    searchSummaryOf(variables),
    request.startNode !== undefined || request.startAt !== undefined,
    leavesOutChecked,
    asked.processID ?? null,
    asked.version ?? null,
    asked.versionTag ?? null,
    request.resultWaitMilliseconds ?? null,
    auditJson(request.audit),
    optionalIndexedText(request.restartedFrom),
    group,
    queued,
    admission !== undefined,
    request.relayed ?? false,
  ]);
  if (!definition) return refused('NOT_FOUND', `This project has no ${named(asked)}`);
  const { definitionID } = definition;
  if (definition.suspended)
    return refused('DEFINITION_SUSPENDED', `Definition ${definitionID} is suspended. Retry after it is resumed.`);
  if (!definition.begins)
    return refused(
      'CONFLICT',
      `The process of definition ${definitionID} has no none start event, so only its events can start it`,
    );
  if (definition.unchecked) return { kind: 'unchecked', definitionID };
  const { processID, processName, version, graphSha256 } = definition;
  if (definition.controlled) return { kind: 'controlled', definitionID, processID };
  return {
    kind: 'started',
    queued,
    controlled: admission !== undefined,
    instance: {
      workflowID,
      projectID,
      definitionID,
      processID,
      ...(processName !== null && { processName }),
      version,
      ...(businessID !== undefined && { businessID }),
      graphSha256,
      start: { variables, ...input },
    },
  };
}

/** The version that a start would choose now, with the content address of its graph. */
export async function versionToStart(
  database: Queryable,
  projectID: string,
  asked: VersionToStart,
): Promise<{ definitionID: string; processID: string; graphSha256: string } | undefined> {
  const { definitionID, processID, version, versionTag }: AskedVersion = asked;
  return firstRow(
    database,
    `SELECT id AS "definitionID", process_id AS "processID", graph_sha256 AS "graphSha256" FROM definitions
     WHERE ${chosenVersion({ project: '$1', definition: '$2', process: '$3', version: '$4', tag: '$5' })}`,
    [projectID, definitionID ?? null, processID ?? null, version ?? null, versionTag ?? null],
  );
}

/** The members of a `VersionToStart`, of either kind. */
interface AskedVersion {
  definitionID?: string;
  processID?: string;
  version?: number | undefined;
  versionTag?: string | undefined;
}

function named({ definitionID, processID, version, versionTag }: AskedVersion): string {
  if (definitionID !== undefined) return `definition ${definitionID}`;
  const ofVersion = version === undefined ? '' : ` in version ${version}`;
  const withTag = versionTag === undefined ? '' : ` with version tag ${JSON.stringify(versionTag)}`;
  return `process ${processID}${ofVersion}${withTag}`;
}

function inputOf({
  startNode,
  startTrigger,
  startAt,
  payload,
  traceContext,
}: StartRequest): Omit<StartInput, 'variables'> {
  return {
    ...(startNode !== undefined && { startNode }),
    ...(startTrigger !== undefined && { startTrigger }),
    ...(startAt !== undefined && { startAt }),
    ...(payload !== undefined && { payload }),
    ...(traceContext && { traceContext }),
  };
}
