import { Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { withFormerNames } from '../../telemetry/metrics/former-names.js';

async function exposition(): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  new Histogram({
    name: 'perdure_step_commit_seconds',
    help: 'Duration.',
    labelNames: ['result'],
    buckets: [1],
    registers,
  }).observe({ result: 'accepted' }, 0.5);
  new Gauge({ name: 'perdure_instances_diverged', help: 'Diverged.', registers }).set(3);
  new Gauge({ name: 'perdure_instances_diverged_elsewhere', help: 'Another metric.', registers }).set(1);
  return withFormerNames(await registry.metrics());
}

test('a renamed metric has its values under both names, each in one block', async () => {
  const lines = (await exposition()).split('\n');
  expect(lines).toContain('perdure_instances_diverged 3');
  expect(lines.filter((line) => line.includes('perdure_instances_adrift'))).toEqual([
    '# HELP perdure_instances_adrift Deprecated: use perdure_instances_diverged.',
    '# TYPE perdure_instances_adrift gauge',
    'perdure_instances_adrift 3',
  ]);
});

test('a renamed label has its former name under the former name of the metric only', async () => {
  const lines = (await exposition()).split('\n');
  expect(lines).toContain('perdure_step_commit_seconds_bucket{le="1",result="accepted"} 1');
  expect(lines).toContain('perdure_park_seconds_bucket{le="1",answer="accepted"} 1');
  expect(lines).toContain('perdure_park_seconds_count{answer="accepted"} 1');
  expect(lines).toContain('# TYPE perdure_park_seconds histogram');
});

test('a metric without a value has no value under its former name', async () => {
  expect(
    withFormerNames('# HELP perdure_instances_diverged Diverged.\n# TYPE perdure_instances_diverged gauge\n'),
  ).not.toMatch(/^perdure_instances_adrift/m);
});
