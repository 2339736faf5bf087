/** Rows of lists in a database and in JavaScript, and plain functions over the latter. */
import { randomUUID } from 'node:crypto';
import type { TestStore } from './store.js';
import { deploy, projectID } from './store.js';
import { ensureProject } from '../../../store/projects/projects.js';

export interface InstanceRow {
  number: number;
  workflowID: string;
  definitionID: string;
  processId: string;
  parent: string | null;
  businessID: string | null;
  status: string;
  failureReason: string | null;
  startedBy: string | null;
  restartedFrom: string | null;
  importedSystem: string | null;
  importedID: string | null;
  createdAt: Date;
  completedAt: Date | null;
  openIncidents: number;
  isSuspended: boolean;
  isSuspendedAbove: boolean;
  ancestorDefinitions: string[];
  activeNodes: string[] | null;
}

export interface JobRow {
  workflowID: string;
  number: number;
  instance: InstanceRow;
  nodeID: string;
  taskType: string;
  status: string;
  lockedBy: string | null;
  errorCode: string | null;
  priority: number;
  createdAt: Date;
  completedAt: Date | null;
}

export interface IncidentRow {
  workflowID: string;
  number: number;
  instance: InstanceRow;
  nodeID: string;
  status: string;
  errorType: string;
  errorCode: string | null;
  message: string;
  raisedAt: Date;
}

export interface ListRows {
  instances: InstanceRow[];
  jobs: JobRow[];
  incidents: IncidentRow[];
  suspendedDefinition: string;
}

/** Numbers from a seed, so that a failure can be repeated. */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  return { below, pick, chance: (share: number) => next() < share };
}

const START = Date.parse('2026-01-01T00:00:00Z');
const businessIDs = ['ord-1', 'ord-10', 'ord-2', 'ORD-1', 'o%d_1', 'ö-1', '', 'inv\\1'];
const reasons = [
  'Connection refused by HOST 17',
  'connection reset',
  '100% of "orders" failed',
  'a_b',
  'back\\slash here',
];
const messages = [...reasons, 'Variable "amount" is null', "No handler for 'E42'"];

/** In force for some of the instances. */
export const target = {
  processId: 'order',
  since: new Date(START + 5_000),
  until: new Date(START + 30_000),
  durationMs: 90_000,
};

/** Writes rows of two projects; those of the other one must appear in no list. */
export async function writeListRows(store: TestStore, seed: number, count: number): Promise<ListRows> {
  const random = randomFrom(seed);
  await ensureProject(store.database, 'elsewhere');
  const definitions: { id: string; processId: string }[] = [];
  for (const processId of ['order', 'order', 'invoice', 'payment'])
    definitions.push({ id: (await deploy(store, processId)).definitionID, processId });
  const suspendedDefinition = definitions[2]!.id;
  await store.database.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [suspendedDefinition]);
  const instances = Array.from({ length: count }, (_, index) => instanceOf(index, random, definitions));
  instances.forEach((instance, index) => {
    if (index > 0 && random.chance(0.3)) instance.parent = instances[random.below(index)]!.workflowID;
  });
  const jobs = instances.flatMap((instance) => jobsOf(instance, random));
  const incidents = instances.flatMap((instance) => incidentsOf(instance, random));
  for (const project of [projectID, 'elsewhere']) await insert(store, project, { instances, jobs, incidents });
  await store.database.query(
    "INSERT INTO targets (project_id, process_id, node_id, since, until, duration_ms) VALUES ($1, $2, '', $3, $4, $5)",
    [projectID, target.processId, target.since, target.until, target.durationMs],
  );
  return { instances, jobs, incidents, suspendedDefinition };
}

type Random = ReturnType<typeof randomFrom>;

function instanceOf(index: number, random: Random, definitions: { id: string; processId: string }[]): InstanceRow {
  const { id, processId } = random.pick(definitions);
  const status = random.pick(['RUNNING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED']);
  const isRunning = status === 'RUNNING';
  const createdAt = new Date(START + Math.floor(index / 3) * 1000);
  return {
    number: index + 1,
    workflowID: `w-${randomUUID()}`,
    definitionID: id,
    processId,
    parent: null,
    businessID: random.chance(0.7) ? random.pick(businessIDs) : null,
    status,
    failureReason: status === 'FAILED' ? random.pick(reasons) : null,
    startedBy: random.chance(0.8) ? random.pick(['ann', 'ben', 'Ann']) : null,
    restartedFrom: random.chance(0.2) ? random.pick(['w-1', 'w-2']) : null,
    importedSystem: index % 7 === 0 ? 'old' : null,
    importedID: index % 7 === 0 ? `n-${index}` : null,
    createdAt,
    completedAt: isRunning ? null : new Date(createdAt.getTime() + random.below(5) * 60_000),
    openIncidents: isRunning ? random.below(2) : 0,
    isSuspended: isRunning && random.chance(0.1),
    isSuspendedAbove: isRunning && random.chance(0.1),
    ancestorDefinitions: random.chance(0.2) ? [random.pick(definitions).id] : [],
    activeNodes: isRunning ? [random.pick(['pack', 'ship']), random.pick(['pay', 'ask'])] : null,
  };
}

function jobsOf(instance: InstanceRow, random: Random): JobRow[] {
  return Array.from({ length: random.below(3) }, (_, index) => {
    const status = random.pick(['PENDING', 'COMPLETED', 'FAILED', 'CANCELED']);
    const createdAt = new Date(instance.createdAt.getTime() + random.below(2) * 500);
    return {
      workflowID: instance.workflowID,
      number: 3 + index,
      instance,
      nodeID: random.pick(['pack', 'ship', 'pay']),
      taskType: random.pick(['pack', 'ship', 'a,b']),
      status,
      lockedBy: random.chance(0.5) ? random.pick(['c1', 'c2']) : null,
      errorCode: status === 'FAILED' ? random.pick(['E1', 'E2']) : null,
      priority: random.pick([-1, 0, 0, 7]),
      createdAt,
      completedAt: status === 'PENDING' ? null : new Date(createdAt.getTime() + random.below(3) * 1000),
    };
  });
}

function incidentsOf(instance: InstanceRow, random: Random): IncidentRow[] {
  return Array.from({ length: random.below(3) }, (_, index) => ({
    workflowID: instance.workflowID,
    number: 10 + index,
    instance,
    nodeID: random.pick(['pack', 'ship', 'pay']),
    status: random.pick(['OPEN', 'OPEN', 'RESOLVED', 'WITHDRAWN']),
    errorType: random.pick(['BpmnError', 'FeelError', 'Unknown']),
    errorCode: random.chance(0.5) ? random.pick(['E1', 'E2']) : null,
    message: random.pick(messages),
    raisedAt: new Date(instance.createdAt.getTime() + random.below(2) * 500),
  }));
}

type Written = Pick<ListRows, 'instances' | 'jobs' | 'incidents'>;

async function insert(
  { database }: TestStore,
  project: string,
  { instances, jobs, incidents }: Written,
): Promise<void> {
  const isOther = project !== projectID;
  const idOf = (workflowID: string) => (isOther ? `other-${workflowID}` : workflowID);
  // Numbers are unique across projects.
  const shift = isOther ? 1_000_000 : 0;
  for (const i of instances)
    await database.query(
      `INSERT INTO instances (workflow_id, number, project_id, definition_id, parent_workflow_id, root_workflow_id, business_id,
         status, failure_reason, started_by, created_at, completed_at, variables, open_incidents, suspended_at, ancestor_suspended,
         ancestor_definitions, active_nodes, restarted_from, imported_system, imported_id) OVERRIDING SYSTEM VALUE
       VALUES ($1, $2, $3, $4, $5, $1, $6, $7, $8, $9, $10, $11, '{}', $12, CASE WHEN $13 THEN now() END, $14, $15, $16, $17, $18, $19)`,
      [
        idOf(i.workflowID),
        i.number + shift,
        project,
        i.definitionID,
        i.parent && idOf(i.parent),
        i.businessID,
        i.status,
        i.failureReason,
        i.startedBy,
        i.createdAt,
        i.completedAt,
        i.openIncidents,
        i.isSuspended,
        i.isSuspendedAbove,
        i.ancestorDefinitions,
        i.activeNodes,
        i.restartedFrom,
        i.importedSystem,
        i.importedID,
      ],
    );
  for (const j of jobs)
    await database.query(
      `INSERT INTO jobs (workflow_id, number, project_id, element, node_id, task_type, status, retries, created_at, completed_at,
         available_at, locked_by, error_code, definition_path, priority) VALUES ($1, $2, $3, 2, $4, $5, $6, 3, $7, $8, $7, $9, $10, ARRAY[$11::uuid], $12)`,
      [
        idOf(j.workflowID),
        j.number,
        project,
        j.nodeID,
        j.taskType,
        j.status,
        j.createdAt,
        j.completedAt,
        j.lockedBy,
        j.errorCode,
        j.instance.definitionID,
        j.priority,
      ],
    );
  for (const n of incidents)
    await database.query(
      `INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, status, error_type, error_code,
         message, raised_at) VALUES ($1, $2, $3, $4, 2, $5, $6, $7, $8, $9, $10)`,
      [
        idOf(n.workflowID),
        n.number,
        project,
        n.instance.definitionID,
        n.nodeID,
        n.status,
        n.errorType,
        n.errorCode,
        n.message,
        n.raisedAt,
      ],
    );
}
