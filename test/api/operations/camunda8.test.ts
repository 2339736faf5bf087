/** The deployment of Camunda Modeler: requests as the public SDK of Camunda 8 sends them, and the members that it reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { decision, dmn, literal } from '../../dmn/support.js';
import { startTestHost, type TestHost } from './support/host.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const BOUNDARY = '--------------------------284213751203459284551234';

/** The bytes that the npm package form-data makes of files, which the SDK uses. */
function formOf(files: Readonly<Record<string, string | Buffer>>, tenantId?: string) {
  const parts = Object.entries(files).flatMap(([name, content]) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="resources"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const tenant = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="tenantId"\r\n\r\n${tenantId}\r\n`;
  const body = Buffer.concat([
    ...parts,
    Buffer.from(tenantId === undefined ? '' : tenant),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  return {
    body: new Uint8Array(body),
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, Accept: 'application/json' },
  };
}

const deploy = (files: Readonly<Record<string, string | Buffer>>, tenantId?: string) =>
  host.call('editor', 'POST', '/v2/deployments', formOf(files, tenantId));

const decisionFile = dmn(decision('risk', literal('1'))).replace('id="model"', 'id="risks"');
const form = JSON.stringify({ id: 'approval', components: [] });

it('the modeler finds a version that deploys over REST', async () => {
  const { status, body } = await host.call('viewer', 'GET', '/v2/topology');
  expect(status).toBe(200);
  expect(body).toMatchObject({ gatewayVersion: '8.8.0', brokers: [] });
});

describe('the deployment of the modeler', () => {
  it('is that of a bundle, with the members that the modeler reads', async () => {
    const files = {
      'order.bpmn': sequenceModel('order', [userTask('approve')]),
      'risk.dmn': decisionFile,
      'a.form': form,
    };
    const { status, body } = await deploy(files, '<default>');
    expect(status).toBe(201);
    const [process, decisions] = body.files;
    expect(body).toMatchObject({
      deploymentKey: body.deploymentID,
      tenantId: '<default>',
      createdBy: 'editor',
      deployments: [
        {
          processDefinition: {
            processDefinitionId: 'order',
            processDefinitionVersion: 1,
            processDefinitionKey: process.processes[0].definitionID,
            resourceName: 'order.bpmn',
          },
        },
        { decisionRequirements: { decisionRequirementsId: 'risks', version: 1, resourceName: 'risk.dmn' } },
        {
          decisionDefinition: {
            decisionDefinitionId: 'risk',
            decisionRequirementsKey: decisions.definitionID,
            version: 1,
          },
        },
        { form: { formId: 'approval', version: 1, resourceName: 'a.form' } },
      ],
    });
    expect((await host.call('viewer', 'GET', `/bpmn/deployments/${body.deploymentID}`)).status).toBe(200);
    const [entry] = (await host.call('admin', 'GET', '/audit?operation=DeployFromModeler')).body.data;
    expect(entry).toMatchObject({ via: 'REST', actor: 'editor', details: { files: Object.keys(files) } });

    const again = await deploy(files);
    expect(again).toMatchObject({ status: 200, body: { deploymentKey: '', deployments: body.deployments } });
  });

  it('may have the encoding that a file declares, and a file whose text has the boundary of others', async () => {
    const model = sequenceModel('umlaut', [userTask('prüfen')]);
    const latin = model
      .replace('UTF-8', 'ISO-8859-1')
      .replace(/^(?!<\?xml)/, '<?xml version="1.0" encoding="ISO-8859-1"?>');
    const { status, body } = await deploy({ 'umlaut.bpmn': Buffer.from(latin, 'latin1') });
    expect(status).toBe(201);
    const stored = await host.call('viewer', 'GET', `/bpmn/resources/${body.files[0].resourceID}`);
    expect(stored.body.xml).toContain('prüfen');
  });

  it('with an error is refused with the problems of its files', async () => {
    const { status, body } = await deploy({ 'bad.bpmn': '<bpmn>', 'bad.form': '{}' });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_MODEL' });
    expect(new Set(body.details.errors.map(({ file }: { file: string }) => file))).toEqual(
      new Set(['bad.bpmn', 'bad.form']),
    );
  });

  it.each([
    ['no file', {}, undefined],
    ['a file of another kind', { 'robot.rpa': '{}' }, undefined],
    ['a file without a name', { '': form }, undefined],
    ['bytes that are not text', { 'a.form': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }, undefined],
    ['a tenant', { 'a.form': form }, 'acme'],
    ['101 files', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.form`, form])), undefined],
  ])('with %s is 400', async (_, files, tenantId) => {
    expect((await deploy(files as Record<string, string>, tenantId)).status).toBe(400);
  });

  it('with hundreds of thousands of parts is refused before they are parsed', async () => {
    const part = `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n`;
    const body = `${part.repeat(300_000)}--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const { status, body: problem } = await host.call('editor', 'POST', '/v2/deployments', { body, headers });
    expect(status).toBe(400);
    expect(problem.detail).toBe('The body has more than 120 parts');
  });

  it.each([
    ['JSON', 'application/json', 415],
    ['no boundary', 'multipart/form-data', 415],
    ['another boundary', 'multipart/form-data; boundary=other', 400],
  ])('as %s is refused', async (_, contentType, expected) => {
    const { body } = formOf({ 'a.form': form });
    const headers = { 'Content-Type': contentType };
    expect((await host.call('editor', 'POST', '/v2/deployments', { body, headers })).status).toBe(expected);
  });

  it('needs the role that deploys, and is the uniform 404 otherwise', async () => {
    expect((await host.call('executor', 'POST', '/v2/deployments', formOf({ 'a.form': form }))).status).toBe(404);
    const token = await host.api.issuer.sign({ sub: 'other', projects: [{ id: 'p2', roles: ['admin'] }] });
    for (const [method, path] of [
      ['GET', 'topology'],
      ['POST', 'deployments'],
    ] as const)
      expect((await host.api.request(method, `/projects/p1/v2/${path}`, { token })).status).toBe(404);
  });

  it('of many modelers at once makes versions without gaps', async () => {
    const models = [1, 2, 3, 4].map((n) => ({ 'race.bpmn': sequenceModel('race', [userTask(`t${n}`)]) }));
    const deployed = await Promise.all(models.map((files) => deploy(files)));
    const versions = deployed.map(({ body }) => body.deployments[0].processDefinition.processDefinitionVersion);
    expect(versions.sort()).toEqual([1, 2, 3, 4]);
    const { body } = await eventually(
      () => host.call('viewer', 'GET', '/bpmn/processes/race/versions'),
      (found) => found.body.pagination.total === 4,
    );
    expect(body.data).toHaveLength(4);
  });
});
