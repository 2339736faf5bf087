/** The commands on deployments, forms, hooks, event subscriptions, and secrets, and the groups of incidents. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { scriptTask, sequenceModel, userTask } from '@perdure/testkit/models';
import { startClientHost, type ClientHost } from '../client/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import { runWith } from './support/run.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'perdure-integrations-'));
let host: ClientHost;
beforeAll(async () => void (host = await startClientHost()));
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true });
});

const perdure = (...words: string[]) =>
  runWith(
    words,
    {
      PERDURE_API: host.api,
      PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
      PERDURE_CLIENT_ID: 'admin',
      PERDURE_CLIENT_SECRET: 'dev-admin',
    },
    folder,
  );

async function json(...words: string[]): Promise<any> {
  const { code, out, errors } = await perdure(...words, '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return JSON.parse(out[0]!);
}

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

it('forms and deployments are listed and shown', async () => {
  const id = uniqueName('form');
  const form = write(`${id}.form`, JSON.stringify({ id, components: [] }));
  const model = write(`${id}.bpmn`, sequenceModel(id, [userTask('ask', { formID: id })]));
  const { deploymentID } = await json('deploy', form, model);
  const { out } = await perdure('forms', 'list', '--page-size', '100');
  expect(out).toContainEqual(expect.stringMatching(new RegExp(`^${id} +1 +\\S+ +${id}/ask$`)));
  expect(JSON.parse((await perdure('forms', 'show', id)).out.join('\n'))).toEqual({ id, components: [] });
  expect((await perdure('deployments', 'list')).out[1]).toMatch(
    new RegExp(`^${deploymentID} +\\S+ +\\S+ +2 of 2 files$`),
  );
});

it('element templates are deployed with a folder, and listed', async () => {
  const id = uniqueName('template');
  const given = { id, name: 'Mail', version: 2, appliesTo: ['bpmn:Task'], properties: [] };
  const { files } = await json('deploy', write(`${id}.template.json`, JSON.stringify(given)));
  expect(files).toMatchObject([{ kind: 'TEMPLATE', state: 'CREATED', templateIDs: [id] }]);
  const { out } = await perdure('deployments', 'templates', '--page-size', '100');
  expect(out).toContainEqual(expect.stringMatching(new RegExp(`^${id} +2 +Mail +bpmn:Task +\\S+$`)));
});

it('hooks are created, listed, shown, replaced, and deleted, and a failed delivery is delivered again', async () => {
  const hook = { name: 'shop', auth: { type: 'STRIPE', secret: 'S' }, messageName: 'body.missing' };
  const { hookID, path } = await json('hooks', 'create', JSON.stringify(hook));
  expect((await perdure('hooks', 'list')).out).toContainEqual(
    expect.stringMatching(`^${hookID} +shop +STRIPE +S +enabled$`),
  );
  expect((await perdure('hooks', 'show', hookID)).out).toContainEqual(expect.stringMatching(`^Path +${path}$`));
  const { rows } = await host.store.query<{ id: string }>(
    `INSERT INTO hook_deliveries (project_id, hook_id, outcome, problem, body, request)
     VALUES ('demo', $1, 'FAILED', 'no missing', '{"name": "paid"}', '{"contentType": "application/json", "query": "", "headers": {}}')
     RETURNING id`,
    [hookID],
  );
  const deliveryID = rows[0]!.id;
  expect((await perdure('hooks', 'deliveries', hookID)).out).toEqual([
    expect.stringMatching(/^DELIVERY ID/),
    expect.stringMatching(`^${deliveryID} +\\S+ +FAILED +no missing$`),
    '1 delivery, page 1 of 1',
  ]);
  const failed = await perdure('hooks', 'redeliver', hookID, deliveryID);
  expect({ code: failed.code, outcome: failed.out[1] }).toEqual({ code: 1, outcome: expect.stringMatching(/FAILED$/) });
  await json(
    'hooks',
    'update',
    hookID,
    `@${write('hook.json', JSON.stringify({ ...hook, messageName: 'body.name' }))}`,
  );
  expect(await json('hooks', 'redeliver', hookID, deliveryID)).toMatchObject({ outcome: 'PUBLISHED' });
  expect(await perdure('hooks', 'redeliver', hookID, deliveryID)).toMatchObject({
    code: 1,
    errors: [expect.stringContaining('The delivery is PUBLISHED.')],
  });
  expect(await perdure('hooks', 'delete', hookID, '--reason', 'test')).toMatchObject({
    out: [`Hook ${hookID} deleted`],
  });
  expect(await perdure('hooks', 'show', hookID)).toMatchObject({ code: 1 });
});

it('event subscriptions and secrets are listed, and what does not exist is refused', async () => {
  expect(await perdure('subscriptions', 'list')).toMatchObject({ code: 0, out: ['0 subscriptions, page 1 of 1'] });
  const nothing = '3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11';
  for (const command of ['show', 'dead-letters', 'redeliver', 'delete'])
    expect(await perdure('subscriptions', command, nothing)).toMatchObject({
      code: 1,
      errors: [expect.stringContaining('NOT_FOUND')],
    });
  expect(await perdure('subscriptions', 'redeliver', nothing, 'x')).toMatchObject({ code: 2 });
  expect((await perdure('secrets', 'list')).code).toBe(0);
  expect(await perdure('secrets', 'show', 'NONE')).toMatchObject({ code: 1 });
});

it('incidents are grouped, and a group is a filter of their list', async () => {
  const id = uniqueName('broken');
  await json('deploy', write(`${id}.bpmn`, sequenceModel(id, [scriptTask('divide', '=1 / x', 'y')])));
  await perdure('start', id, '--variables', '{"x": 0}');
  const group = await vi.waitFor(
    async () => {
      const { data } = await json('incidents', 'groups', '--process', id);
      expect(data).toHaveLength(1);
      return data[0];
    },
    { timeout: 40_000, interval: 200 },
  );
  const { data } = await json('incidents', 'list', '--group', group.groupID, '--sort', 'raisedAt', '--order', 'asc');
  expect(data).toMatchObject([{ processID: id, nodeID: 'divide' }]);
  expect((await json('search', id, 'true', '--created-before', '2020-01-01T00:00:00Z')).matches).toEqual([]);
  expect((await json('search', id, 'true', '--created-after', '2020-01-01T00:00:00Z')).matches).toHaveLength(1);
});
