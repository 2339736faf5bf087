import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import { processModel, sequenceModel } from '@perdure/testkit/models';
import { start } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const form = (id: string, label: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'default',
    id,
    components: [{ type: 'number', key: 'amount', label, id: 'Field_1', validate: { required: true, max: 10 } }],
    ...more,
  });

const task = (definition: string) =>
  `<bpmn:userTask id="approve"><bpmn:extensionElements><zeebe:userTask /><zeebe:formDefinition ${definition} /></bpmn:extensionElements></bpmn:userTask>`;

/** Deploys and returns the id of the first process. */
async function deployBundle(files: Record<string, string>): Promise<string> {
  const { status, body } = await host.call('editor', 'POST', '/bpmn/deployments', {
    json: { files: Object.entries(files).map(([name, content]) => ({ name, content })) },
  });
  if (status >= 300) throw new Error(`deploying answered ${status}: ${JSON.stringify(body)}`);
  return body.files[0].processes?.[0].definitionID as string;
}

/** Starts an instance and returns the path of its task. */
async function openTask(definitionID: string, variables: Record<string, unknown> = {}): Promise<string> {
  const workflowID = await start(host, definitionID, { variables });
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const { body } = await eventually(look, (found) => found.body.data.length === 1);
  return `/bpmn/user-tasks/${body.data[0].executionKey}`;
}

const formOf = (path: string) => host.call('executor', 'GET', `${path}/form`);
/** As the task says, without a look at the form. */
const formVersionOf = async (path: string) => (await host.call('executor', 'GET', path)).body.formVersion as unknown;
const labelOf = ({ body }: { body: any }) => body.schema.components[0].label as string;
const name = () => `n${randomUUID().replaceAll('-', '')}`;

describe('the form of a user task', () => {
  test('keeps the version that was the latest when the task was created', async () => {
    const id = name();
    const definitionID = await deployBundle({
      'a.bpmn': sequenceModel(id, [task(`formId="${id}"`)]),
      'a.form': form(id, 'first', { versionTag: 'v1' }),
    });
    const path = await openTask(definitionID, { amount: 7 });
    await deployBundle({ 'a.form': form(id, 'second') });
    const shown = await formOf(path);
    expect(shown).toMatchObject({
      status: 200,
      body: { formID: id, version: 1, versionTag: 'v1', variables: { amount: 7 } },
    });
    expect(labelOf(shown)).toBe('first');
    expect(await formVersionOf(path)).toBe(1);
    const later = await openTask(definitionID);
    expect(labelOf(await formOf(later))).toBe('second');
    expect(await formVersionOf(later)).toBe(2);
  });

  test('is 204 until a version is deployed, and the first that is found stays', async () => {
    const id = name();
    const path = await openTask(await deployBundle({ 'a.bpmn': sequenceModel(id, [task(`formId="${id}"`)]) }));
    expect((await formOf(path)).status).toBe(204);
    expect(await formVersionOf(path)).toBeUndefined();
    await deployBundle({ 'a.form': form(id, 'first') });
    const shown = await Promise.all(Array.from({ length: 5 }, () => formOf(path)));
    await deployBundle({ 'a.form': form(id, 'second') });
    expect([...shown, await formOf(path)].map(labelOf)).toEqual(Array(6).fill('first'));
  });

  test('with a version tag is the newest version with the tag', async () => {
    const id = name();
    await deployBundle({ 'a.form': form(id, 'old', { versionTag: 'stable' }) });
    await deployBundle({ 'a.form': form(id, 'tagged', { versionTag: 'stable' }) });
    await deployBundle({ 'a.form': form(id, 'latest') });
    const bound = task(`formId="${id}" bindingType="versionTag" versionTag="stable"`);
    expect(labelOf(await formOf(await openTask(await deployBundle({ 'a.bpmn': sequenceModel(id, [bound]) }))))).toBe(
      'tagged',
    );
  });

  test('bound to the deployment is that of the bundle, for instances started later too', async () => {
    const id = name();
    const model = sequenceModel(id, [task(`formId="${id}" bindingType="deployment"`)]);
    const definitionID = await deployBundle({ 'a.bpmn': model, 'a.form': form(id, 'bundled') });
    await deployBundle({ 'a.form': form(id, 'later') });
    expect(labelOf(await formOf(await openTask(definitionID)))).toBe('bundled');
  });

  test('can be embedded in the file', async () => {
    const id = name();
    const embedded = `<bpmn:extensionElements><zeebe:userTaskForm id="f1">${form('x', 'embedded').replaceAll('"', '&quot;')}</zeebe:userTaskForm></bpmn:extensionElements>`;
    const elements = `${embedded}<bpmn:startEvent id="s" />${task('formKey="camunda-forms:bpmn:f1"')}<bpmn:sequenceFlow id="f" sourceRef="s" targetRef="approve" />`;
    const shown = await formOf(await openTask(await deployBundle({ 'a.bpmn': processModel(id, [elements], []) })));
    expect(shown.status).toBe(200);
    expect(labelOf(shown)).toBe('embedded');
    expect(shown.body).not.toHaveProperty('formID');
  });

  test('is shown to a viewer only if the task names the viewer', async () => {
    const id = name();
    const path = await openTask(
      await deployBundle({ 'a.bpmn': sequenceModel(id, [task(`formId="${id}"`)]), 'a.form': form(id, 'x') }),
    );
    expect((await host.call('viewer', 'GET', `${path}/form`)).status).toBe(404);
  });
});

const withStartForm = (id: string, definition: string) =>
  processModel(
    id,
    [
      `<bpmn:startEvent id="s"><bpmn:extensionElements><zeebe:formDefinition ${definition} /></bpmn:extensionElements></bpmn:startEvent><bpmn:endEvent id="e" /><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="e" />`,
    ],
    [],
  );

describe('the start form of a definition', () => {
  test('is the latest version, or that of the bundle if it is bound to it', async () => {
    const id = name();
    const latest = await deployBundle({
      'a.bpmn': withStartForm(`${id}-l`, `formId="${id}"`),
      'a.form': form(id, 'old'),
    });
    const bound = await deployBundle({
      'a.bpmn': withStartForm(`${id}-d`, `formId="${id}" bindingType="deployment"`),
      'a.form': form(id, 'old'),
    });
    await deployBundle({ 'a.form': form(id, 'new') });
    const label = async (definitionID: string) =>
      labelOf(await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}/form`));
    expect([await label(latest), await label(bound)]).toEqual(['new', 'old']);
  });

  test('is 204 without one, and 404 for a definition that does not exist', async () => {
    const definitionID = await deployBundle({ 'a.bpmn': sequenceModel(name(), []) });
    const path = (id: string) => `/bpmn/definitions/${id}/form`;
    expect((await host.call('viewer', 'GET', path(definitionID))).status).toBe(204);
    expect((await host.call('viewer', 'GET', path(randomUUID()))).status).toBe(404);
  });
});

test('a form is read by its id, in the newest or a given version', async () => {
  const id = name();
  await deployBundle({ 'a.form': form(id, 'first') });
  await deployBundle({ 'a.form': form(id, 'second') });
  const get = (query: string) => host.call('viewer', 'GET', `/bpmn/forms/${id}${query}`);
  expect(await get('')).toMatchObject({ status: 200, body: { formID: id, version: 2 } });
  expect(labelOf(await get('?version=1'))).toBe('first');
  expect((await get('?version=3')).status).toBe(404);
});

describe('a project that validates forms', () => {
  const setting = (validateForms: boolean) => host.call('admin', 'PATCH', '/settings', { json: { validateForms } });
  beforeAll(() => setting(true));
  afterAll(() => setting(false));

  test('refuses a completion with every issue and no value, and keeps the task open', async () => {
    const id = name();
    const path = await openTask(
      await deployBundle({ 'a.bpmn': sequenceModel(id, [task(`formId="${id}"`)]), 'a.form': form(id, 'x') }),
    );
    const complete = (variables: Record<string, unknown>) =>
      host.call('executor', 'POST', `${path}/complete`, { json: { variables } });
    const refused = await complete({ amount: 987_654 });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        details: { issues: [{ path: '/variables/amount', message: 'must be at most 10' }] },
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain('987654');
    expect(await complete({})).toMatchObject({
      body: { details: { issues: [{ path: '/variables/amount', message: 'is required' }] } },
    });
    await deployBundle({ 'a.form': form(id, 'x', { components: [] }) });
    expect((await complete({})).status).toBe(400);
    expect((await complete({ amount: 9, more: 'is allowed' })).status).toBe(200);
  });

  test('refuses a start whose variables the start form refuses', async () => {
    const id = name();
    const definitionID = await deployBundle({
      'a.bpmn': withStartForm(id, `formId="${id}"`),
      'a.form': form(id, 'x'),
    });
    const begin = (variables: Record<string, unknown>) =>
      host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID: definitionID, variables } });
    expect((await begin({ amount: 'ten' })).body.details.issues).toEqual([
      { path: '/variables/amount', message: 'must be a number' },
    ]);
    expect((await begin({ amount: 10 })).status).toBe(201);
  });

  test('answers a repeated start as the first time, although the form has changed', async () => {
    const id = name();
    const files = { 'a.bpmn': withStartForm(id, `formId="${id}"`), 'a.form': form(id, 'x') };
    const definitionID = await deployBundle(files);
    const begin = (amount: number) =>
      host.call('executor', 'POST', '/bpmn/instances', {
        json: { processDefinitionID: definitionID, variables: { amount } },
        headers: { 'Idempotency-Key': id },
      });
    const first = await begin(10);
    await deployBundle({ 'a.form': form(id, 'x', { components: [{ type: 'textfield', key: 'amount' }] }) });
    expect(await begin(10)).toMatchObject({ status: 201, body: first.body });
    expect((await begin(11)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('the list of forms', () => {
  const listed = async () =>
    (await host.call('viewer', 'GET', '/bpmn/forms?pageSize=100')).body.data as Record<string, unknown>[];

  test('has the newest version of each, with the nodes of the newest processes that name it', async () => {
    const [id, other, unused] = [name(), name(), name()];
    const deployed = { 'a.form': form(id, 'first'), 'b.form': form(unused, 'unused') };
    await deployBundle({ 'a.bpmn': sequenceModel(id, [task(`formId="${id}"`)]), ...deployed });
    await deployBundle({ 'a.form': form(id, 'second', { versionTag: 'v2' }) });
    const start = `<bpmn:startEvent id="begin"><bpmn:extensionElements><zeebe:formDefinition formId="${id}" /></bpmn:extensionElements></bpmn:startEvent>`;
    await deployBundle({
      'b.bpmn': processModel(
        other,
        [start, task(`formId="${id}"`), '<bpmn:endEvent id="end" />'],
        'begin -> approve -> end',
      ),
    });
    const ofForm = async (formID: string) => (await listed()).filter((one) => one['formID'] === formID);
    const used = [
      { processID: id, nodeID: 'approve' },
      { processID: other, nodeID: 'approve' },
      { processID: other, nodeID: 'begin' },
    ].toSorted((a, b) => (`${a.processID} ${a.nodeID}` < `${b.processID} ${b.nodeID}` ? -1 : 1));
    expect(await ofForm(id)).toEqual([
      {
        formID: id,
        version: 2,
        versionTag: 'v2',
        deploymentID: expect.any(String),
        createdAt: expect.any(String),
        usedBy: used,
      },
    ]);
    expect(await ofForm(unused)).toMatchObject([{ version: 1, usedBy: [] }]);
    // The next version of the process has no form.
    await deployBundle({ 'a.bpmn': sequenceModel(id, [task('formKey="other"')]) });
    expect(await ofForm(id)).toMatchObject([{ usedBy: used.filter(({ processID }) => processID === other) }]);
  });

  test('is paged by form id and counts each form once', async () => {
    const all = await listed();
    const ids = all.map(({ formID }) => formID as string);
    expect(ids).toEqual(ids.toSorted());
    const { body } = await host.call('viewer', 'GET', '/bpmn/forms?page=2&pageSize=1');
    expect(body).toMatchObject({ data: [all[1]], pagination: { total: all.length } });
  });
});
