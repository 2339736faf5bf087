import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const detail = async (workflowID: string) => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
const mapped = (source: string, target: string) => ({
  targetVersion: 2,
  elementMappings: [{ sourceElementID: source, targetElementID: target }],
});

/** Instances of version 1 that wait at `<id>-a`, one of them after it, and version 2 that calls it `<id>-b`. */
async function outdated(id: string, count: number) {
  const definitionID = await deploy(host, sequenceModel(id, [serviceTask(`${id}-a`), serviceTask(`${id}-last`)]));
  const ahead = await start(host, definitionID);
  const first = await jobOf(host, ahead);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${first.executionKey}/complete`, {
    json: { workflowID: ahead },
  });
  const waiting = await Promise.all(Array.from({ length: count }, () => start(host, definitionID)));
  await Promise.all(waiting.map((workflowID) => jobOf(host, workflowID)));
  const second = await deploy(host, sequenceModel(id, [serviceTask(`${id}-b`)]));
  return { definitionID, second, ahead, waiting, path: `/bpmn/definitions/${definitionID}/migrate` };
}

/** The migration once every instance has answered. */
async function completed(migrationID: string, query = '') {
  const look = () => host.call('editor', 'GET', `/bpmn/migrations/${migrationID}${query}`);
  return (await eventually(look, ({ body }) => body.status === 'COMPLETED')).body;
}

test('all running instances of a version are migrated, and those that cannot say why', async () => {
  const { definitionID, second, ahead, waiting, path } = await outdated('many', 5);
  const begun = await host.call('editor', 'POST', path, {
    json: { ...mapped('many-a', 'many-b'), variables: { migrated: true }, reason: 'a mistake in version 1' },
  });
  expect(begun.status).toBe(202);
  const migration = await completed(begun.body.migrationID, '?pageSize=2');
  expect(migration).toMatchObject({
    definitionID,
    createdBy: 'editor',
    total: 6,
    migrated: 5,
    refused: 1,
    completedAt: expect.any(String),
  });
  expect(migration.results.pagination).toEqual({ page: 1, pageSize: 2, total: 6, totalPages: 3 });
  expect(migration.results.data).toEqual([
    {
      workflowID: ahead,
      status: 'REFUSED',
      issues: [
        'a token is at many-last, but the target version has no element with this id; map it to another element',
      ],
    },
    { workflowID: expect.any(String), status: 'MIGRATED' },
  ]);
  for (const workflowID of waiting)
    expect(await detail(workflowID)).toMatchObject({ definitionID: second, variables: { migrated: true } });
  expect(await detail(ahead)).toMatchObject({ definitionID });
  const { rows } = await host.store.query(
    "SELECT DISTINCT actor, reason FROM commands WHERE body ->> 'kind' = 'MIGRATE' AND workflow_id = ANY($1)",
    [waiting],
  );
  expect(rows).toEqual([{ actor: 'editor', reason: 'a mistake in version 1' }]);
});

test('only the named ones are migrated; one that is none of this version says so', async () => {
  const { waiting, path, ahead } = await outdated('named', 3);
  await host.call('editor', 'DELETE', `/bpmn/instances/${ahead}`);
  const workflowIDs = [waiting[0], 'unknown', ahead, waiting[0]];
  const { body } = await host.call('editor', 'POST', path, { json: { ...mapped('named-a', 'named-b'), workflowIDs } });
  const { results, ...counts } = await completed(body.migrationID);
  expect(counts).toMatchObject({ total: 3, migrated: 1, refused: 2 });
  expect(results.data).toEqual([
    { workflowID: ahead, status: 'REFUSED', issues: [`Instance ${ahead} is CANCELED`] },
    { workflowID: waiting[0], status: 'MIGRATED' },
    { workflowID: 'unknown', status: 'REFUSED', issues: ['There is no instance unknown in this project'] },
  ]);
  expect(await detail(waiting[1]!)).toMatchObject({ processVersion: 1 });
});

test('validating shows each issue with the number of instances, and changes nothing', async () => {
  const { waiting, ahead, path } = await outdated('checked', 2);
  const validate = async (json: Record<string, unknown>) =>
    (await host.call('editor', 'POST', `${path}/validate`, { json })).body;
  expect(await validate(mapped('checked-a', 'checked-b'))).toEqual({
    valid: false,
    issues: [
      `a token is at checked-last, but the target version has no element with this id; map it to another element (1 of 3 instances, for example ${ahead})`,
    ],
    total: 3,
    checked: 3,
  });
  expect(await validate({ ...mapped('checked-a', 'checked-b'), workflowIDs: waiting })).toEqual({
    valid: true,
    issues: [],
    total: 2,
    checked: 2,
  });
  expect(await validate({ targetVersion: 7 })).toMatchObject({
    valid: false,
    issues: ['Process checked has no version 7'],
  });
  expect(await detail(waiting[0]!)).toMatchObject({ processVersion: 1 });
});

test('a plan that fits no instance is refused, and so are wrong addresses', async () => {
  const { path } = await outdated('wrong', 0);
  expect(await host.call('editor', 'POST', path, { json: mapped('nowhere', 'wrong-b') })).toMatchObject({
    status: 400,
    body: { details: { issues: ['the process has no element nowhere to map'] } },
  });
  expect((await host.call('editor', 'POST', path, { json: { targetVersion: 1 } })).status).toBe(400);
  expect((await host.call('editor', 'POST', path, { json: { targetVersion: 2, workflowIDs: [] } })).status).toBe(400);
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(
    (await host.call('editor', 'POST', `/bpmn/definitions/${unknown}/migrate`, { json: { targetVersion: 2 } })).status,
  ).toBe(404);
  expect((await host.call('editor', 'GET', `/bpmn/migrations/${unknown}`)).status).toBe(404);
  expect((await host.call('viewer', 'GET', `/bpmn/migrations/${unknown}`)).status).toBe(404);
});

test('a version without running instances is migrated at once', async () => {
  const { path, ahead } = await outdated('none', 0);
  await host.call('editor', 'DELETE', `/bpmn/instances/${ahead}`);
  const { body } = await host.call('editor', 'POST', path, { json: mapped('none-a', 'none-b') });
  expect(await completed(body.migrationID)).toMatchObject({ total: 0, migrated: 0, refused: 0 });
});

test('a job that is held in the meantime is completed in the new version', async () => {
  const { path, waiting } = await outdated('held', 1);
  const job = await takeJob(host, 'held-a');
  const { body } = await host.call('editor', 'POST', path, {
    json: { ...mapped('held-a', 'held-b'), workflowIDs: waiting },
  });
  await completed(body.migrationID);
  await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
    json: { workflowID: job.workflowID, clientID: 'worker-1', variables: { done: 1 } },
  });
  await eventually(
    () => detail(waiting[0]!),
    ({ status, variables }) => status === 'COMPLETED' && variables.done === 1,
  );
});
