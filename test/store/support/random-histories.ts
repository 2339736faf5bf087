/** Histories of random models with migrations, cancels, and calls, written to a database step by step in a random order. */
import { randomUUID } from 'node:crypto';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator } from '../../engine/random/blocks.js';
import { bpmnOf } from '../../engine/random/bpmn.js';
import { Oracle } from '../../engine/random/oracle.js';
import type { Random } from '../../engine/random/random.js';
import { stimulateAny } from '../../engine/random/stimuli.js';
import { deploy, projectID, type TestStore } from './store.js';

export interface History {
  workflowID: string;
  /** The version that it started with. */
  definitionID: string;
  steps: { now: number; facts: Fact[] }[];
  status: string;
}

const MOST_STIMULI = 40;

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
  return toHistories(store, [...host.instances.values()], renamed);
}

function play(host: MemoryHost, instance: MemoryInstance, random: Random): void {
  const migratesAt = random.chance(0.3) ? random.below(6) : -1;
  const cancelsAt = random.chance(0.1) ? random.below(12) : -1;
  const stimuli = random.below(MOST_STIMULI);
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
async function toHistories(store: TestStore, instances: readonly MemoryInstance[], renamed: Graph): Promise<History[]> {
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
    steps: steps.map(({ now, facts }) => ({ now, facts: facts.map((fact) => ofVersion(fact, second)) })),
    status: state.status,
  }));
}

function ofVersion(fact: Fact, definitionID: string): Fact {
  return fact.kind === 'INSTANCE_MIGRATED' ? { ...fact, target: { ...fact.target, definitionID } } : fact;
}

/** Writes steps of all histories, each history in order. `afterEach` runs between two of them. */
export async function writeHistories(
  { pool }: TestStore,
  histories: readonly History[],
  random: Random,
  afterEach: () => Promise<void>,
): Promise<void> {
  const left = histories.map((history) => ({ history, next: 0 })).filter(({ history }) => history.steps.length > 0);
  while (left.length > 0) {
    const chosen = random.below(left.length);
    const one = left[chosen]!;
    await writeStep({ pool }, one.history, one.next, random);
    one.next += 1;
    if (one.next === one.history.steps.length) left.splice(chosen, 1);
    await afterEach();
  }
}

async function writeStep(
  { pool }: Pick<TestStore, 'pool'>,
  { workflowID, definitionID, steps, status }: History,
  index: number,
  random: Random,
): Promise<void> {
  const { now, facts } = steps[index]!;
  const isLast = index === steps.length - 1;
  const migrated = facts.findLast((fact) => fact.kind === 'INSTANCE_MIGRATED');
  // A build before the statistics leaves no hint.
  const leavesHint = random.chance(0.9);
  await pool.query(
    `WITH instance AS (
       INSERT INTO instances AS i (workflow_id, project_id, definition_id, root_workflow_id, variables, created_at, park_count)
       VALUES ($1, $2, $3, $1, '{}', to_timestamp($4::float8 / 1000), 1)
       ON CONFLICT (workflow_id) DO UPDATE SET park_count = i.park_count + 1, status = $5,
         completed_at = CASE WHEN $5 <> 'RUNNING' THEN to_timestamp($4::float8 / 1000) END, definition_id = coalesce($6, i.definition_id),
         started_definition_id = CASE WHEN $6 IS NULL THEN i.started_definition_id ELSE coalesce(i.started_definition_id, i.definition_id) END
     ), step AS (
       INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts) VALUES ($1, $7, 0, 0, $8::json, $9::json)
     ) INSERT INTO steps_to_fold SELECT $1 WHERE $10`,
    [
      workflowID,
      projectID,
      definitionID,
      now,
      isLast ? status : 'RUNNING',
      migrated?.target.definitionID ?? null,
      index + 1,
      JSON.stringify({ now, lastCommand: 0 }),
      JSON.stringify(facts),
      leavesHint,
    ],
  );
}
