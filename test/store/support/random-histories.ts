/** Histories of random models with migrations, cancels, and calls, written to a database step by step in a random order. */
import { randomUUID } from 'node:crypto';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator } from '../../engine/random/blocks.js';
import { bpmnOf } from '../../engine/random/bpmn.js';
import { Oracle } from '../../engine/random/oracle.js';
import { Random } from '../../engine/random/random.js';
import { stimulateAny } from '../../engine/random/stimuli.js';
import { deploy, projectID, type TestStore } from './store.js';

export interface History {
  workflowID: string;
  /** The version that it started with. */
  definitionID: string;
  steps: { now: number; facts: Fact[]; work: Work[] }[];
  status: string;
}

/** A job or user task that the step completes, with the times that only its row has. */
export interface Work {
  table: 'jobs' | 'user_tasks';
  number: number;
  nodeID: string;
  createdAt: number;
  /** When it was first leased or assigned; undefined if never. */
  begunAt: number | undefined;
}

const MAX_STIMULI = 40;

/** Instances of one random model in two versions, and the instances that they call. */
export async function playModel(store: TestStore, random: Random, count: number): Promise<History[]> {
  const block = new BlockGenerator(random).process();
  const host = await MemoryHost.deploy(bpmnOf(block));
  host.compareEvery = Infinity;
  const first = host.start('p', new Oracle(block).start as Record<string, never>);
  const renamed = rename(first.model.graph);
  const begun = [first];
  for (let started = 1; started < count; started += 1) {
    host.advance(random.below(5 * 3_600_000));
    begun.push(host.start('p', new Oracle(block).start as Record<string, never>));
  }
  host.add([{ processID: 'p', graph: renamed }]);
  for (const instance of begun) play(host, instance, random);
  return toHistories(store, random, [...host.instances.values()], renamed);
}

function play(host: MemoryHost, instance: MemoryInstance, random: Random): void {
  const migratesAt = random.chance(0.3) ? random.below(6) : -1;
  const cancelsAt = random.chance(0.1) ? random.below(12) : -1;
  const stimuli = random.below(MAX_STIMULI);
  for (let stimulus = 0; stimulus < stimuli && instance.state.status === 'RUNNING'; stimulus += 1) {
    host.advance(Math.floor(10 ** (random.next() * 7)));
    if (instance.state.status !== 'RUNNING') return;
    if (stimulus === migratesAt) host.migrate(instance, mappingsOf(instance.model.graph));
    else if (stimulus === cancelsAt) host.send(instance, { kind: 'CANCEL_INSTANCE' });
    else stimulateAny(host, instance, random);
  }
}

function mappingsOf({ nodes }: Graph): { [source: string]: string } {
  return Object.fromEntries(nodes.filter(({ kind }) => kind !== 'process').map(({ id }) => [id, `${id}_new`]));
}

function rename(graph: Graph): Graph {
  const ids = graph.nodes.filter(({ kind }) => kind !== 'process').map(({ id }) => id);
  const text = JSON.stringify(graph);
  return JSON.parse(ids.reduce((all, id) => all.replaceAll(`"${id}"`, `"${id}_new"`), text)) as Graph;
}

/** Deploys the versions, and refers to them in the histories. */
async function toHistories(
  store: TestStore,
  random: Random,
  instances: readonly MemoryInstance[],
  renamed: Graph,
): Promise<History[]> {
  const processes = new Map<string, Graph>();
  for (const { steps, model } of instances)
    if (!steps.some(({ facts }) => facts.some(({ kind }) => kind === 'INSTANCE_MIGRATED')))
      processes.set(model.graph.processID, model.graph);
  const suffix = randomUUID();
  const definitions = new Map<string, string>();
  for (const [processID, graph] of processes)
    definitions.set(processID, (await deploy(store, `${processID}-${suffix}`, { graph })).definitionID);
  const second = (await deploy(store, `p-${suffix}`, { graph: renamed })).definitionID;
  return instances.map(({ steps, model, state }) => ({
    workflowID: randomUUID(),
    definitionID: definitions.get(model.graph.processID)!,
    steps: workedOn(steps, random).map(({ facts, ...step }) => ({
      ...step,
      facts: facts.map((fact) => ofVersion(fact, second)),
    })),
    status: state.status,
  }));
}

/** Adds when jobs and user tasks were begun: some never, some after the clock of another machine says that they ended. */
function workedOn(steps: readonly { now: number; facts: Fact[] }[], random: Random): History['steps'] {
  const open = new Map<number, Omit<Work, 'begunAt'>>();
  return steps.map(({ now, facts }) => {
    const work: Work[] = [];
    for (const fact of facts) {
      if (fact.kind === 'JOB_CREATED')
        open.set(fact.job, { table: 'jobs', number: fact.job, nodeID: fact.node, createdAt: now });
      if (fact.kind === 'USER_TASK_CREATED')
        open.set(fact.task, { table: 'user_tasks', number: fact.task, nodeID: fact.node, createdAt: now });
      if (fact.kind === 'INSTANCE_MIGRATED') {
        const names = new Map(fact.nodes);
        for (const one of open.values()) one.nodeID = names.get(one.nodeID) ?? one.nodeID;
      }
      if (fact.kind !== 'JOB_COMPLETED' && fact.kind !== 'USER_TASK_COMPLETED') continue;
      const ended = open.get(fact.kind === 'JOB_COMPLETED' ? fact.job : fact.task)!;
      const begunAt = ended.createdAt + Math.floor((now - ended.createdAt) * random.next() * 1.01);
      work.push({ ...ended, begunAt: random.chance(0.9) ? begunAt : undefined });
    }
    return { now, facts, work };
  });
}

function ofVersion(fact: Fact, definitionID: string): Fact {
  return fact.kind === 'INSTANCE_MIGRATED' ? { ...fact, target: { ...fact.target, definitionID } } : fact;
}

const WRITERS = 4;
const MAX_STEPS_AT_ONCE = 20;

/**
 * Writes the steps of all histories, each history in order. Writers share the histories and write at the same time, each
 * up to 20 steps in one transaction. `afterSteps` runs between two transactions of a writer, with its chance.
 */
export async function writeHistories(
  store: TestStore,
  histories: readonly History[],
  random: Random,
  afterSteps: (steps: number, random: Random) => Promise<void>,
): Promise<void> {
  const shares = Array.from({ length: WRITERS }, (_, writer) =>
    histories.filter((history, index) => history.steps.length > 0 && index % WRITERS === writer),
  );
  const chances = shares.map(() => new Random(random.below(2 ** 32)));
  await Promise.all(shares.map((share, writer) => writeShare(store, share, chances[writer]!, afterSteps)));
}

async function writeShare(
  store: TestStore,
  histories: readonly History[],
  random: Random,
  afterSteps: (steps: number, random: Random) => Promise<void>,
): Promise<void> {
  const left = histories.map((history) => ({ history, next: 0 }));
  while (left.length > 0) {
    const steps = new Map<History, number>();
    for (let chosen = 1 + random.below(MAX_STEPS_AT_ONCE); chosen > 0 && left.length > 0; chosen -= 1) {
      const index = random.below(left.length);
      const one = left[index]!;
      if (steps.has(one.history)) continue;
      steps.set(one.history, one.next);
      one.next += 1;
      if (one.next === one.history.steps.length) left.splice(index, 1);
    }
    await writeSteps(store, steps, random);
    await afterSteps(steps.size, random);
  }
}

async function writeSteps({ database }: TestStore, steps: ReadonlyMap<History, number>, random: Random): Promise<void> {
  const written = [...steps].map(([{ workflowID, definitionID, steps: all, status }, index]) => {
    const { now, facts, work } = all[index]!;
    return {
      workflowID,
      definitionID,
      number: index + 1,
      now,
      facts: JSON.stringify(facts),
      status: index === all.length - 1 ? status : 'RUNNING',
      migratedTo: facts.findLast((fact) => fact.kind === 'INSTANCE_MIGRATED')?.target.definitionID,
      work: work.map((one) => ({ ...one, workflowID, completedAt: now })),
      // A build before the statistics leaves no hint.
      leavesHint: random.chance(0.9),
    };
  });
  await database.query(
    `WITH given AS (
       SELECT *, to_timestamp("now" / 1000) AS at FROM json_to_recordset($2) AS g("workflowID" text, "definitionID" uuid, number integer,
         "now" float8, facts text, status text, "migratedTo" uuid, "leavesHint" boolean)
     ), work AS (
       SELECT *, to_timestamp("createdAt" / 1000) AS created, to_timestamp("begunAt" / 1000) AS begun, to_timestamp("completedAt" / 1000) AS completed
       FROM json_to_recordset($3) AS w("table" text, "workflowID" text, number integer, "nodeID" text, "createdAt" float8, "begunAt" float8,
         "completedAt" float8)
     ), started AS (
       INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, created_at, step_count, status, completed_at)
       SELECT "workflowID", $1, "definitionID", "workflowID", '{}', at, 1, status, CASE WHEN status <> 'RUNNING' THEN at END
       FROM given WHERE number = 1
     ), continued AS (
       UPDATE instances i SET step_count = g.number, status = g.status, completed_at = CASE WHEN g.status <> 'RUNNING' THEN at END,
         definition_id = coalesce("migratedTo", definition_id),
         started_definition_id = CASE WHEN "migratedTo" IS NULL THEN started_definition_id ELSE coalesce(started_definition_id, definition_id) END
       FROM given g WHERE i.workflow_id = "workflowID" AND g.number > 1
     ), step AS (
       INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
       SELECT "workflowID", number, 0, 0, json_build_object('now', "now", 'lastCommand', 0), facts::json FROM given
     ), job AS (
       INSERT INTO jobs (workflow_id, number, project_id, element, node_id, task_type, status, retries, definition_path, created_at, available_at,
         first_leased_at, completed_at)
       SELECT "workflowID", number, $1, 2, "nodeID", 'any', 'COMPLETED', 3, '{}', created, created, begun, completed FROM work WHERE "table" = 'jobs'
     ), user_task AS (
       INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, status, candidate_users, candidate_groups, created_at,
         first_assigned_at, completed_at)
       SELECT "workflowID", number, $1, 2, "nodeID", 'COMPLETED', '{}', '{}', created, begun, completed FROM work WHERE "table" = 'user_tasks'
     ) INSERT INTO steps_to_fold SELECT "workflowID" FROM given WHERE "leavesHint"`,
    [projectID, JSON.stringify(written), JSON.stringify(written.flatMap(({ work }) => work))],
  );
}
