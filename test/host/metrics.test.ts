import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../../telemetry/metrics.js';
import { workOnJobs } from '@perdure/client';
import { addChoreMetrics } from '../../background/metrics.js';
import { addDivergedMetric } from '../../worker/metrics/diverged.js';
import { addTargetMissesMetric } from '../../worker/metrics/target-misses.js';
import { addDeliveryMetrics } from '../../connectors/events/metrics.js';
import { addBacklogMetrics } from '../../host/metrics/backlog.js';
import { addCachedInstancesMetric } from '../../telemetry/metrics/cached.js';
import { addLingerMetrics } from '../../hot-instances/metrics.js';
import { addStepMetrics } from '../../worker/metrics/steps.js';
import { addWorkflowFailureMetrics } from '../../worker/metrics/workflow-failures.js';
import { freePort } from '../../dev/ports.js';
import { repositoryRoot } from '../../dev/repository.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { projectID, startClientHost, type ClientHost } from '../client/support/host.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const documentation = readFileSync(join(repositoryRoot, 'docs', 'operations', 'metrics.md'), 'utf8');

function ownNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\bperdure_[a-z_]+[a-z]/g)].map(([name]) => name))];
}

describe('the documentation', () => {
  const { registry } = createMetrics();
  addStepMetrics(registry);
  addWorkflowFailureMetrics(registry, pino({ level: 'silent' }));
  addDivergedMetric(registry);
  addTargetMissesMetric(registry);
  addBacklogMetrics(registry, openDatabase('postgres://127.0.0.1:1/none'));
  addDeliveryMetrics(registry);
  addCachedInstancesMetric(registry, () => 0);
  addChoreMetrics(registry, () => []);
  addLingerMetrics(registry, () => 0);
  const known = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('perdure_'));

  it('describes every metric that there is, and no other', () => {
    const described = [...documentation.matchAll(/^\| `(perdure_\w+)` \|/gm)].map((match) => match[1]);
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  it('names alerts on existing metrics only', () => {
    const parts = known.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]);
    expect(ownNames(documentation).filter((name) => !parts.includes(name))).toEqual([]);
  });
});

/** The current metrics of the host on this port. */
async function scrape(port: number): Promise<(name: string) => number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (name) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  };
}

describe('a host that may keep 100 instances in memory', () => {
  let host: ClientHost;
  let port: number;
  const read = () => scrape(port);
  const untilCounted = (name: string, count: number) =>
    eventually(
      async () => (await read())(name),
      (value) => value === count,
    );
  beforeAll(async () => {
    port = await freePort();
    host = await startClientHost({
      environment: { METRICS_PORT: String(port), WORKER_MAX_CACHED_INSTANCES: '100' },
    });
  });
  afterAll(() => host?.close());

  it('counts what its instances and workers do', async () => {
    const open = await host.deploy(sequenceModel('open', [serviceTask('work', { type: 'leave-me' })]));
    const definitionID = await host.deploy(
      sequenceModel('counted', [serviceTask('work', { type: 'count-me' }), timer, divide]),
    );
    await host.start(open);
    await host.start(definitionID, { x: 0 });

    const stop = new AbortController();
    const failures = [new Error('once')];
    const handler = async () => {
      const failure = failures.pop();
      if (failure) throw failure;
    };
    const working = workOnJobs(
      { client: host.client('executor'), projectID, clientID: 'counting', taskType: 'count-me', handler },
      stop.signal,
    );
    // The first scrape reads the gauges, which are then kept for ten seconds.
    await eventually('the incident and the job', async () => {
      const { rows } = await host.store.query(
        "SELECT 1 FROM incidents, jobs WHERE task_type = 'leave-me' AND incidents.status = 'OPEN'",
      );
      return rows[0];
    });
    const first = await read();
    expect(first('perdure_jobs_pending{task_type="leave-me"}')).toBe(1);
    expect(first('perdure_incidents_open')).toBe(1);
    await untilCounted('perdure_incidents_raised_total{type="FeelError"}', 1);
    stop.abort();
    await working;

    const value = await read();
    expect(value('perdure_jobs_created_total')).toBe(2);
    expect(value('perdure_instances_total{event="started"}')).toBe(2);
    expect(value('perdure_elements_activated_total')).toBeGreaterThanOrEqual(4);
    expect(value('perdure_job_wait_seconds_count')).toBe(2);
    expect(value('perdure_jobs_requeued_total')).toBe(1);
    expect(value('perdure_job_work_seconds_count{end="completed"}')).toBe(1);
    expect(value('perdure_timer_lateness_seconds_count')).toBe(1);
    expect(value('perdure_step_commit_seconds_count{result="accepted"}')).toBe(4);
    expect(value('perdure_outbox_age_seconds{kind="start"}')).toBeLessThan(60);
  }, 240_000);

  it('shows how many it keeps, which are no more, though 120 wait', async () => {
    const definitionID = await host.deploy(sequenceModel('kept', [serviceTask('work', { type: 'never-done' })]));
    for (let started = 0; started < 120; started += 10)
      await Promise.all(Array.from({ length: 10 }, () => host.start(definitionID)));
    await untilCounted('perdure_jobs_created_total', 122);
    const value = await read();
    expect(value('perdure_instances_cached')).toBeGreaterThan(50);
    expect(value('perdure_instances_cached')).toBeLessThanOrEqual(100);
  }, 120_000);
});

const timer =
  '<bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration>PT0.1S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
const divide =
  '<bpmn:scriptTask id="divide"><bpmn:extensionElements><zeebe:script expression="=1 / x" resultVariable="y" /></bpmn:extensionElements></bpmn:scriptTask>';

describe('the gauges of the backlog', () => {
  it('are read on scrapes, at most every ten seconds', async () => {
    const database = openDatabase('postgres://127.0.0.1:1/none');
    const reads = vi.spyOn(database, 'transaction').mockRejectedValue(new Error('down'));
    const { registry } = createMetrics();
    addBacklogMetrics(registry, database);
    const clock = vi.spyOn(performance, 'now');
    try {
      const readsUntil: number[] = [];
      for (const now of [0, 9_999, 10_000]) {
        clock.mockReturnValue(now);
        await registry.metrics();
        readsUntil.push(reads.mock.calls.length);
      }
      expect(readsUntil).toEqual([1, 1, 2]);
    } finally {
      clock.mockRestore();
    }
  });

  it('have no value while Postgres is down, and the others still have theirs', async () => {
    const { registry } = createMetrics();
    addBacklogMetrics(registry, openDatabase('postgres://127.0.0.1:1/none'));
    const text = await registry.metrics();
    expect(text).toContain('# TYPE perdure_incidents_open gauge');
    expect(text).not.toMatch(/^perdure_(incidents_open|jobs_pending|outbox_age_seconds)/m);
    expect(text).toContain('process_cpu_seconds_total');
  });
});
