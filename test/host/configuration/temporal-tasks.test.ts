import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigurationError } from '../../../host/configuration/configuration-error.js';
import { readConfig } from '../../../host/configuration/config.js';

const enough = {
  DATABASE_URL: 'postgres://perdure:secret@localhost:5432/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  OIDC_ISSUER: 'https://issuer.example',
};
const allowing = (...taskQueues: string[]) => JSON.stringify({ shop: { taskQueues } });
const keys = { TEMPORAL_PAYLOAD_KEYS: `k1=${Buffer.alloc(32).toString('base64')}` };

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig({ ...enough, ...environment });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

it('no project may use anything unless the list says so, which is JSON or a file', () => {
  expect(readConfig(enough).temporalTasks).toEqual({ allowed: {}, served: {}, sharesKeys: false });
  const allowed = { shop: { taskQueues: ['payments'], endpoints: [] } };
  expect(readConfig({ ...enough, TEMPORAL_TASKS_ALLOW: allowing('payments') }).temporalTasks.allowed).toEqual(allowed);
  const folder = mkdtempSync(join(tmpdir(), 'allowed-'));
  writeFileSync(join(folder, 'allow.json'), allowing('payments'));
  const ofFile = readConfig({ ...enough, TEMPORAL_TASKS_ALLOW: join(folder, 'allow.json') });
  expect(ofFile.temporalTasks.allowed).toEqual(allowed);
  rmSync(folder, { recursive: true });
  expect(problemsOf({ TEMPORAL_TASKS_ALLOW: '{"shop": ["payments"]}' })).toHaveLength(1);
});

it('the task queues of Perdure itself are never allowed', () => {
  expect(problemsOf({ TEMPORAL_TASKS_ALLOW: allowing('perdure', 'payments') })).toEqual([
    'TEMPORAL_TASKS_ALLOW lets project shop use perdure, a task queue of Perdure itself. Remove it.',
  ]);
  const own = allowing('mine-tasks', 'mine-runs', 'perdure-nexus-bank', 'payments');
  expect(problemsOf({ TEMPORAL_TASK_QUEUE: 'mine', TEMPORAL_TASKS_ALLOW: own })).toHaveLength(3);
});

it('with payload keys, an operator says whether the other workers know them', () => {
  const allow = { TEMPORAL_TASKS_ALLOW: allowing('payments') };
  expect(problemsOf({ ...allow, ...keys })).toEqual([expect.stringContaining('Set TEMPORAL_TASKS_CODEC to shared')]);
  expect(readConfig({ ...enough, ...allow, ...keys, TEMPORAL_TASKS_CODEC: 'shared' }).temporalTasks.sharesKeys).toBe(
    true,
  );
  expect(problemsOf({ ...allow, ...keys, TEMPORAL_TASKS_CODEC: 'plain' })).toEqual([]);
  expect(problemsOf({ ...allow, TEMPORAL_TASKS_CODEC: 'shared' })).toHaveLength(1);
});

it('no Nexus endpoint is served unless the list gives it a project', () => {
  const served = (given: string) => readConfig({ ...enough, NEXUS_ALLOW: given }).temporalTasks.served;
  expect(served('{"shop-processes": "shop"}')).toEqual({ 'shop-processes': 'shop' });
  expect(problemsOf({ NEXUS_ALLOW: '{"shop processes": "shop"}' })).toHaveLength(1);
  expect(problemsOf({ NEXUS_ALLOW: '{"shop-processes": ""}' })).toHaveLength(1);
});

it('with payload keys, an operator says whether the callers of Nexus know them', () => {
  const allow = { NEXUS_ALLOW: '{"shop-processes": "shop"}' };
  expect(problemsOf({ ...allow, ...keys })).toEqual([expect.stringMatching(/^NEXUS_ALLOW is set/)]);
  expect(problemsOf({ ...allow, ...keys, TEMPORAL_TASKS_CODEC: 'shared' })).toEqual([]);
});
