import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decision, dmn, literal } from '../../dmn/support.js';
import { startTestHost, type TestHost } from './support/host.js';
import { callActivity, scriptTask, sequenceModel, userTask } from '@perdure/testkit/models';
import { start, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const form = (id: string, label = 'Amount') =>
  JSON.stringify({ type: 'default', id, components: [{ type: 'number', key: 'amount', label, id: 'Field_1' }] });

const decisionFile = (id: string, value = '1') =>
  dmn(decision(`${id}-decision`, literal(value)), { target: `urn:${id}` }).replace('id="model"', `id="${id}"`);

const deployBundle = (files: Record<string, string>, more: Record<string, unknown> = {}) =>
  host.call('editor', 'POST', '/bpmn/deployments', {
    json: { files: Object.entries(files).map(([name, content]) => ({ name, content })), ...more },
  });

const boundTo = (id: string, processID: string) =>
  callActivity(id, processID, { propagateAllChildVariables: true, bindingType: 'deployment' });

describe('a bundle', () => {
  test('is deployed with every file, and is listed with who, when, and why', async () => {
    const deployed = await deployBundle(
      {
        'order.bpmn': sequenceModel('order', [userTask('approve')]),
        'risk.dmn': decisionFile('risk'),
        'approve.form': form('approve'),
      },
      { name: 'nightly', reason: 'release 7' },
    );
    expect(deployed).toMatchObject({
      status: 201,
      body: {
        name: 'nightly',
        reason: 'release 7',
        createdBy: 'editor',
        files: [
          {
            name: 'order.bpmn',
            kind: 'BPMN',
            state: 'CREATED',
            processes: [{ processID: 'order', version: 1, state: 'CREATED' }],
          },
          { name: 'risk.dmn', kind: 'DMN', state: 'CREATED', version: 1 },
          { name: 'approve.form', kind: 'FORM', state: 'CREATED', formID: 'approve', version: 1 },
        ],
      },
    });
    const { deploymentID, files } = deployed.body;
    const got = await host.call('viewer', 'GET', `/bpmn/deployments/${deploymentID}`);
    expect(got).toMatchObject({ status: 200, body: { deploymentID, reason: 'release 7' } });
    expect((await host.call('viewer', 'GET', '/bpmn/deployments')).body.data).toContainEqual(got.body);
    const resource = await host.call('viewer', 'GET', `/bpmn/resources/${files[0].resourceID}`);
    expect(resource.body).toMatchObject({ isDeployed: true, name: 'order.bpmn' });
    expect((await host.call('viewer', 'GET', `/dmn/definitions/${files[1].definitionID}`)).status).toBe(200);
  });

  test('makes no version of what has not changed', async () => {
    const files = {
      'same.bpmn': sequenceModel('same', []),
      'same.dmn': decisionFile('same'),
      'same.form': form('same'),
    };
    await deployBundle(files);
    const again = await deployBundle(files);
    expect(again.status).toBe(200);
    expect(again.body).not.toHaveProperty('deploymentID');
    expect(again.body.files.map(({ state }: { state: string }) => state)).toEqual(Array(3).fill('UNCHANGED'));
    const changed = await deployBundle({ ...files, 'same.form': form('same', 'Total') });
    expect(changed).toMatchObject({
      status: 201,
      body: {
        files: [
          { state: 'UNCHANGED', processes: [{ version: 1 }] },
          { state: 'UNCHANGED', version: 1 },
          { state: 'CREATED', version: 2 },
        ],
      },
    });
    expect((await host.call('viewer', 'GET', '/bpmn/processes/same/versions')).body.pagination.total).toBe(1);
  });

  test('with errors is refused with the problems of all files, and nothing of it is deployed', async () => {
    const refused = await deployBundle({
      'good.bpmn': sequenceModel('good', []),
      'bad.bpmn': sequenceModel('bad', [callActivity('c', 'called')]).replaceAll('targetRef="c"', 'targetRef="x"'),
      'bad.form': '{\n  "id": "f",\n  oops }',
      'also.form': '{"id":"also"}',
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL' } });
    const { errors } = refused.body.details;
    expect(new Set(errors.map(({ file }: { file: string }) => file))).toEqual(
      new Set(['bad.bpmn', 'bad.form', 'also.form']),
    );
    expect(errors).toContainEqual(expect.objectContaining({ file: 'bad.form', line: 3, column: 3 }));
    expect((await host.call('viewer', 'GET', '/bpmn/processes/good/versions')).body.data).toEqual([]);
  });

  test.each([
    ['a name without a known ending', { 'notes.txt': 'x' }],
    ['a process twice', { 'a.bpmn': sequenceModel('twice', []), 'b.bpmn': sequenceModel('twice', []) }],
    ['a form twice', { 'a.form': form('twice'), 'b.form': form('twice') }],
    ['a decision file twice', { 'a.dmn': decisionFile('twice'), 'b.dmn': decisionFile('twice') }],
  ])('with %s is 400', async (_, files) => {
    expect((await deployBundle(files)).status).toBe(400);
  });

  test('that names a file twice is 400', async () => {
    const file = { name: 'a.form', content: form('a') };
    const refused = await host.call('editor', 'POST', '/bpmn/deployments', { json: { files: [file, file] } });
    expect(refused).toMatchObject({ status: 400, body: { details: { issues: [{ path: '/files/1/name' }] } } });
  });

  test('as a dry run shows what would be deployed, and deploys nothing', async () => {
    const dry = await deployBundle({ 'dry.bpmn': sequenceModel('dry', []) }, { dryRun: true });
    expect(dry).toMatchObject({
      status: 200,
      body: { files: [{ state: 'CREATED', processes: [{ processID: 'dry', version: 1 }] }] },
    });
    expect(JSON.stringify(dry.body)).not.toMatch(/definitionID|resourceID|deploymentID/);
    expect((await host.call('viewer', 'GET', '/bpmn/processes/dry/versions')).body.data).toEqual([]);
  });

  test('may be larger than other requests, up to 20 MiB', async () => {
    const padded = (id: string) => JSON.stringify({ id, components: [], note: 'x'.repeat(900_000) });
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.form`, padded(`large-${index}`)]));
    expect((await deployBundle(files(12))).status).toBe(201);
    expect((await deployBundle(files(24))).status).toBe(413);
  });
});

describe('two bundles at once', () => {
  test('that are the same make one version', async () => {
    const files = { 'race.bpmn': sequenceModel('race', []), 'race.form': form('race') };
    const answers = await Promise.all(Array.from({ length: 8 }, () => deployBundle(files)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
  });

  test('that differ make whole bundles, without gaps in the versions', async () => {
    const pipelines = Array.from({ length: 6 }, (_, index) =>
      deployBundle({
        'a.form': form('whole-a', `${index}`),
        'b.form': form('whole-b', `${index}`),
      }),
    );
    const versions = (await Promise.all(pipelines)).map(({ body }) =>
      body.files.map(({ version }: { version: number }) => version),
    );
    expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6].map((version) => [version, version]));
  });
});

describe('the binding to the deployment', () => {
  const called = (value: string) => sequenceModel('called', [scriptTask('s', `=${value}`, 'result')]);

  test('calls the process of the same bundle, whatever is deployed later', async () => {
    const files = { 'caller.bpmn': sequenceModel('caller', [boundTo('call', 'called')]), 'called.bpmn': called('1') };
    const { body } = await deployBundle(files);
    await deployBundle({ 'called.bpmn': called('2') });
    const workflowID = await start(host, body.files[0].processes[0].definitionID);
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { result: 1 } });
  });

  test('makes a process new when its target is, and then calls the new one', async () => {
    const caller = { 'caller.bpmn': sequenceModel('caller', [boundTo('call', 'called')]) };
    const { body } = await deployBundle({ ...caller, 'called.bpmn': called('3') });
    expect(body.files[0]).toMatchObject({ state: 'CREATED' });
    const workflowID = await start(host, body.files[0].processes[0].definitionID);
    expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { result: 3 } });
    expect((await deployBundle({ ...caller, 'called.bpmn': called('3') })).status).toBe(200);
  });

  test('allows processes that call each other', async () => {
    const files = {
      'a.bpmn': sequenceModel('ring-a', [boundTo('c', 'ring-b')]),
      'b.bpmn': sequenceModel('ring-b', [boundTo('c', 'ring-a')]),
    };
    expect((await deployBundle(files)).status).toBe(201);
    expect((await deployBundle(files)).status).toBe(200);
    const changed = {
      ...files,
      'b.bpmn': sequenceModel('ring-b', [scriptTask('s', '=1', 'x'), boundTo('c', 'ring-a')]),
    };
    expect((await deployBundle(changed)).body.files).toMatchObject([{ state: 'CREATED' }, { state: 'CREATED' }]);
  });

  test('to what the bundle does not contain is an error that names the element', async () => {
    const refused = await deployBundle({ 'lonely.bpmn': sequenceModel('lonely', [boundTo('call', 'elsewhere')]) });
    expect(refused.body.details.errors).toEqual([
      expect.objectContaining({
        file: 'lonely.bpmn',
        elementID: 'call',
        message: expect.stringContaining('elsewhere'),
      }),
    ]);
  });
});

test('a project of Camunda Modeler with linked forms is deployed unchanged, and runs', async () => {
  const folder = new URL('../../forms/modeler-project/', import.meta.url);
  const names = readdirSync(folder);
  const deployed = await deployBundle(
    Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')])),
  );
  expect(deployed.status).toBe(201);
  const [definitionID] = deployed.body.files
    .flatMap(({ processes = [] }: any) => processes)
    .map((process: any) => process.definitionID as string);
  const startForm = await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}/form`);
  expect(startForm.body).toMatchObject({ formID: 'leave-request-start', versionTag: 'v1' });
  const workflowID = await start(host, definitionID, { variables: { days: 7 } });
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const tasks = await eventually(look, ({ body }) => body.data.length === 1);
  const form = await host.call('executor', 'GET', `/bpmn/user-tasks/${tasks.body.data[0].executionKey}/form`);
  expect(form.body).toMatchObject({ formID: 'leave-request-approve', variables: { days: 7, limit: 'long' } });
});

describe('element templates', () => {
  const template = (id: string, more: object = {}) => ({
    id,
    name: `Name of ${id}`,
    appliesTo: ['bpmn:ServiceTask'],
    properties: [],
    ...more,
  });
  const templates = async () => (await host.call('viewer', 'GET', '/bpmn/element-templates?pageSize=100')).body.data;

  test('are deployed with a bundle, listed as a modeler reads them, and replaced by id', async () => {
    const mail = [
      template('mail', { version: 1 }),
      template('mail', { version: 2, description: 'Sends\u0000 a mail' }),
    ];
    const deployed = await deployBundle({
      'mail.template.json': JSON.stringify(mail),
      'm.bpmn': sequenceModel('m', []),
    });
    expect(deployed).toMatchObject({
      status: 201,
      body: { files: [{ kind: 'TEMPLATE', state: 'CREATED', templateIDs: ['mail'] }, { kind: 'BPMN' }] },
    });
    expect(deployed.body.files[0]).not.toHaveProperty('version');
    const { deploymentID } = deployed.body;
    expect(await templates()).toMatchObject([
      {
        templateID: 'mail',
        version: 2,
        name: 'Name of mail',
        appliesTo: ['bpmn:ServiceTask'],
        deploymentID,
        template: mail[1],
      },
      { templateID: 'mail', version: 1, template: mail[0] },
    ]);

    await deployBundle({ 'other.TEMPLATE.json': JSON.stringify(template('mail')) });
    const left = await templates();
    expect(left).toMatchObject([{ templateID: 'mail', template: template('mail') }]);
    expect(left[0]).not.toHaveProperty('version');
  });

  test('that are the same, in another order and with other spaces, are unchanged', async () => {
    const both = [template('same', { version: 1 }), template('same', { version: 2 })];
    await deployBundle({ 'same.template.json': JSON.stringify(both) });
    const again = await deployBundle({ 'same.template.json': JSON.stringify(both.toReversed(), null, 2) });
    expect(again).toMatchObject({ status: 200, body: { files: [{ state: 'UNCHANGED' }] } });
    const fewer = await deployBundle({ 'same.template.json': JSON.stringify(both.slice(0, 1)) }, { dryRun: true });
    expect(fewer).toMatchObject({ status: 200, body: { files: [{ state: 'CREATED' }] } });
  });

  test('with errors refuse the bundle, and warnings are in the answer', async () => {
    const warned = { 'w.template.json': JSON.stringify(template('w', { properties: [{ binding: { type: 'x:y' } }] })) };
    expect((await deployBundle(warned, { dryRun: true })).body.files[0].warnings).toMatchObject([
      { severity: 'warning' },
    ]);
    const wrong = { ...warned, 'e.template.json': '[]', 'e.bpmn': sequenceModel('e', []) };
    expect(await deployBundle(wrong)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_MODEL', details: { errors: [{ file: 'e.template.json' }] } },
    });
    expect(
      (
        await deployBundle({
          'a.template.json': JSON.stringify(template('t')),
          'b.template.json': JSON.stringify(template('t')),
        })
      ).status,
    ).toBe(400);
  });

  test('may be 8 MiB of a project, and no more, however they come', async () => {
    const large = (id: string) => {
      const icon = { contents: 'x'.repeat(250_000) };
      return JSON.stringify(Array.from({ length: 8 }, (_, index) => template(`${id}-${index}`, { icon })));
    };
    const files = (ids: string[]) => Object.fromEntries(ids.map((id) => [`${id}.template.json`, large(id)]));
    expect((await deployBundle(files(['a', 'b', 'c']))).status).toBe(201);
    for (const dryRun of [true, false]) {
      const refused = await deployBundle(files(['d', 'e']), { dryRun });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', detail: expect.stringContaining('8388608') },
      });
    }
    expect((await deployBundle(files(['a', 'b', 'c']))).status).toBe(200);
    const small = Object.fromEntries(
      ['a', 'b', 'c'].map((id) => [
        `${id}.template.json`,
        JSON.stringify(Array.from({ length: 8 }, (_, index) => template(`${id}-${index}`))),
      ]),
    );
    expect((await deployBundle(small)).status).toBe(201);
    expect((await deployBundle(files(['d', 'e']))).status).toBe(201);
  });
});
