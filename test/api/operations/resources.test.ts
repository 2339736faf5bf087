import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type TestHost } from './support/host.js';
import {
  endEvent,
  processModel,
  scriptTask,
  sequenceFlow,
  sequenceModel,
  serviceTask,
  startEvent,
  task,
} from '@perdure/testkit/models';
import { deploy, start, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const create = (xml: string, name = 'model') => host.call('editor', 'POST', '/bpmn/resources', { json: { name, xml } });

/** Well-formed, and refused when it is deployed. */
const wrongModel = processModel('wrong', startEvent('start'), []).replace(
  '</bpmn:process>',
  `${sequenceFlow('f', 'start', 'nowhere')}</bpmn:process>`,
);

/** The model with a name of its process. */
const named = (xml: string) => xml.replace(/<bpmn:process id="(\w+)"/, '<bpmn:process id="$1" name="$1 by name"');

test('a draft is kept as it came, with its problems as warnings', async () => {
  const created = await create(wrongModel, 'Wrong');
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'Wrong',
      xml: wrongModel,
      definitionsID: 'definitions_wrong',
      isDeployed: false,
      createdBy: 'editor',
      processes: [],
    },
  });
  expect(created.body.warnings).toContainEqual(
    expect.objectContaining({ severity: 'error', message: expect.stringContaining('nowhere') }),
  );
  const got = await host.call('viewer', 'GET', `/bpmn/resources/${created.body.id}`);
  expect(got.body).toMatchObject({ xml: wrongModel });
});

test('a file is kept byte for byte, and its references and line ends are read as XML has them', async () => {
  const xml = sequenceModel('smile', [task('t')])
    .replace('<bpmn:process ', '<bpmn:process name="&#x1F600;\n:&#10;" ')
    .replaceAll('\n', '\r\n');
  const { body: draft } = await create(xml);
  expect(draft).toMatchObject({ xml, warnings: [] });
  expect(await host.call('editor', 'POST', `/bpmn/resources/${draft.id}/deploy`)).toMatchObject({ status: 204 });
  expect((await host.call('viewer', 'GET', `/bpmn/resources/${draft.id}`)).body).toMatchObject({
    xml,
    processes: [{ processID: 'smile', processName: '😀 :\n' }],
  });
});

test.each([
  ['text that is not XML', 'not xml at all'],
  ['an element that is not closed', '<a><b></a>'],
  [
    'a DOCTYPE',
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${wrongModel.slice(wrongModel.indexOf('?>') + 2)}`,
  ],
  ['a reference to no character', wrongModel.replace('<bpmn:process ', '<bpmn:process name="&#0;" ')],
  ['an undeclared entity', wrongModel.replace('<bpmn:process ', '<bpmn:process name="&auml;" ')],
])('a draft of %s is refused with the problem named', async (_what, xml) => {
  expect(await create(xml)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_MODEL', details: { errors: [{ severity: 'error' }] } },
  });
});

const decisions = (text: string) =>
  `<!-- prices --><definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" id="definitions_prices" name="prices" namespace="urn:prices"><decision id="net" name="net"><literalExpression><text>${text}</text></literalExpression></decision></definitions>`;

test('a draft of decisions has their problems, is listed apart from processes, and is deployed in a bundle', async () => {
  const { body: draft } = await create(decisions('1 +'), 'prices.dmn');
  expect(draft).toMatchObject({ definitionsID: 'definitions_prices.dmn', warnings: [{ severity: 'error' }] });
  await create(sequenceModel('prices', []));
  const { body: latest } = await host.call('viewer', 'GET', '/bpmn/resources/latest');
  expect(latest.data.map(({ definitionsID }: { definitionsID: string }) => definitionsID)).toEqual(
    expect.arrayContaining(['definitions_prices', 'definitions_prices.dmn']),
  );
  const json = { name: 'prices.dmn', xml: decisions('1 + 1') };
  const replaced = await host.call('editor', 'PUT', `/bpmn/resources/${draft.id}`, { json });
  expect(replaced.body).toMatchObject({ xml: json.xml, warnings: [] });
  const refused = await host.call('editor', 'POST', `/bpmn/resources/${draft.id}/deploy`);
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL' } });
  expect(refused.body.detail).toContain('deployed in a bundle');
});

test('a draft of a form has its problems, and must be JSON', async () => {
  const form = JSON.stringify({ id: 'ask', components: [{ type: 'textfield', key: 1 }] });
  const { body: draft } = await create(form, 'ask.form');
  expect(draft).toMatchObject({
    xml: form,
    definitionsID: 'ask.form',
    warnings: [{ severity: 'error', message: 'The key of component must be a text' }],
  });
  const broken = await create('{"id": "ask",', 'ask.form');
  expect(broken).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL', details: { errors: [{}] } } });
});

test('a file above 4 MiB is 413', async () => {
  const padded = sequenceModel('padded', []).replace(
    '</bpmn:definitions>',
    `${'<!-- padding -->'.repeat(280_000)}</bpmn:definitions>`,
  );
  expect(await create(padded)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
});

test('a draft can be replaced until it is deployed', async () => {
  const { body: draft } = await create(wrongModel);
  const right = sequenceModel('replaced', []);
  const replaced = await host.call('editor', 'PUT', `/bpmn/resources/${draft.id}`, {
    json: { name: 'Right', xml: right },
  });
  expect(replaced).toMatchObject({
    status: 200,
    body: { id: draft.id, name: 'Right', definitionsID: 'definitions_replaced', warnings: [] },
  });
  expect((await host.call('editor', 'POST', `/bpmn/resources/${draft.id}/deploy`)).status).toBe(204);
  const again = await host.call('editor', 'PUT', `/bpmn/resources/${draft.id}`, {
    json: { name: 'Later', xml: right },
  });
  expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test('a wrong model is not deployed, and every problem is named', async () => {
  const { body: draft } = await create(wrongModel);
  const refused = await host.call('editor', 'POST', `/bpmn/resources/${draft.id}/deploy`);
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL' } });
  expect(refused.body.details.errors.length).toBeGreaterThan(0);
  expect(refused.body.details.warnings).toEqual([]);
  expect((await host.call('viewer', 'GET', '/bpmn/processes/wrong/versions')).body.data).toEqual([]);
});

test('deploying makes a version of each process, and deploying again changes nothing', async () => {
  const xml = named(sequenceModel('twice', []));
  const { body: draft } = await create(xml);
  const at = `/bpmn/resources/${draft.id}`;
  expect((await host.call('editor', 'POST', `${at}/deploy`)).status).toBe(204);
  const first = (await host.call('viewer', 'GET', at)).body;
  expect(first).toMatchObject({
    isDeployed: true,
    processes: [{ processID: 'twice', processName: 'twice by name', version: 1, resourceID: draft.id }],
  });
  expect((await host.call('editor', 'POST', `${at}/deploy`)).status).toBe(204);
  expect((await host.call('viewer', 'GET', at)).body).toEqual(first);
});

test('the same file as a new resource is a new version, and racing deployments count without a gap', async () => {
  const xml = sequenceModel('versions', []);
  const drafts = await Promise.all([1, 2, 3, 4].map(() => create(xml)));
  const deployed = await Promise.all(
    drafts.map(({ body }) => host.call('editor', 'POST', `/bpmn/resources/${body.id}/deploy`)),
  );
  expect(deployed.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const versions = (await host.call('viewer', 'GET', '/bpmn/processes/versions/versions')).body;
  expect(versions.data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
  expect(versions.data[0]).toMatchObject({
    processID: 'versions',
    resourceName: 'model',
    runningCount: 0,
    totalCount: 0,
  });
  const page = (await host.call('viewer', 'GET', '/bpmn/processes/versions/versions?page=2&pageSize=3')).body;
  expect(page).toMatchObject({ data: [{ version: 1 }], pagination: { page: 2, pageSize: 3, total: 4, totalPages: 2 } });
});

test('a deployed version can be read, and its file downloaded', async () => {
  const xml = sequenceModel('shown', []);
  const definitionID = await deploy(host, xml);
  expect((await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}`)).body).toMatchObject({
    id: definitionID,
    processID: 'shown',
    version: 1,
  });
  const file = await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}/xml`);
  expect(file.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(file.body).toBe(xml);
});

test('a deployed version that declared another encoding is given back as the UTF-8 that it is sent in', async () => {
  const xml = sequenceModel('encoded', []);
  const definitionID = await deploy(host, xml.replace('UTF-8', 'windows-1252'));
  expect((await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}/xml`)).body).toBe(xml);
  const lost = await create(xml.replace('UTF-8', 'windows-1252').replace('id="encoded"', 'id="encoded" name="\uFFFD"'));
  expect(lost).toMatchObject({ status: 400, body: { code: 'INVALID_MODEL' } });
  expect(JSON.stringify(lost.body)).toContain('characters were lost');
});

test('a definition names the timers that start it', async () => {
  const timer =
    '<bpmn:timerEventDefinition><bpmn:timeCycle>0 0 9 * * MON-FRI</bpmn:timeCycle></bpmn:timerEventDefinition>';
  const xml = processModel(
    'nine',
    [`<bpmn:startEvent id="start">${timer}</bpmn:startEvent>`, endEvent('end'), sequenceFlow('f', 'start', 'end')],
    [],
  );
  const definitionID = await deploy(host, xml);
  const shown = async () => (await host.call('viewer', 'GET', `/bpmn/definitions/${definitionID}`)).body.startTimers;
  expect(await shown()).toEqual([
    { nodeID: 'start', type: 'cycle', timer: '0 0 9 * * MON-FRI', active: true, skippedTicks: 0 },
  ]);
  await deploy(host, xml);
  expect(await shown()).toMatchObject([{ active: false }]);
});

test('files are listed by their newest revision, and the revisions of one file by its definitions id', async () => {
  const xml = sequenceModel('revised', []);
  await create(xml, 'first');
  const { body: second } = await create(xml, 'second');
  const latest = (await host.call('viewer', 'GET', '/bpmn/resources/latest?pageSize=100')).body;
  expect(latest.data).toContainEqual(
    expect.objectContaining({
      definitionsID: 'definitions_revised',
      latestResourceID: second.id,
      name: 'second',
      versionCount: 2,
      isDeployed: false,
    }),
  );
  const revisions = (await host.call('viewer', 'GET', '/bpmn/resources/by-definitions-id/definitions_revised')).body;
  expect(revisions.data.map(({ name }: { name: string }) => name)).toEqual(['second', 'first']);
});

test('drafts are listed apart from deployed files', async () => {
  const draft = (await create(sequenceModel('drafted', []))).body.id;
  const deployed = (await create(sequenceModel('drafted', []))).body.id;
  await host.call('editor', 'POST', `/bpmn/resources/${deployed}/deploy`);
  const listed = async (query: string) =>
    (await host.call('viewer', 'GET', `/bpmn/resources?pageSize=100${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listed('&isDeployed=false')).toContain(draft);
  expect(await listed('&isDeployed=false')).not.toContain(deployed);
  expect(await listed('&isDeployed=true')).toContain(deployed);
  expect(await listed('&isDeployed=true')).not.toContain(draft);
  expect(await listed('')).toEqual(expect.arrayContaining([draft, deployed]));
  expect((await host.call('viewer', 'GET', '/bpmn/resources?isDeployed=perhaps')).status).toBe(400);
});

test('a process is counted with its running and its ended instances', async () => {
  const definitionID = await deploy(host, named(sequenceModel('counted', [serviceTask('counted-work')])));
  const ended = await start(host, definitionID);
  await start(host, definitionID);
  await host.call('editor', 'DELETE', `/bpmn/instances/${ended}`);
  const found = (await host.call('viewer', 'GET', '/bpmn/processes?q=COUNTED')).body;
  expect(found.data).toEqual([
    {
      processID: 'counted',
      processName: 'counted by name',
      versionCount: 1,
      suspendedVersionCount: 0,
      hasSuspendedDefinition: false,
      runningCount: 1,
      totalCount: 2,
    },
  ]);
});

test('a resource is deleted until it has instances', async () => {
  const unused = (await create(sequenceModel('unused', []))).body.id;
  await host.call('editor', 'POST', `/bpmn/resources/${unused}/deploy`);
  expect((await host.call('editor', 'DELETE', `/bpmn/resources/${unused}`)).status).toBe(204);
  expect((await host.call('viewer', 'GET', `/bpmn/resources/${unused}`)).status).toBe(404);
  expect((await host.call('editor', 'DELETE', `/bpmn/resources/${unused}`)).status).toBe(404);

  const used = (await create(sequenceModel('used', []))).body.id;
  await host.call('editor', 'POST', `/bpmn/resources/${used}/deploy`);
  const definitionID = (await host.call('viewer', 'GET', `/bpmn/resources/${used}`)).body.processes[0].id;
  await untilStatus(host, await start(host, definitionID), 'COMPLETED');
  expect(await host.call('editor', 'DELETE', `/bpmn/resources/${used}`)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
});

test('validate shows what deploying would say and stores nothing', async () => {
  const before = (await host.call('viewer', 'GET', '/bpmn/resources')).body.pagination.total;
  const validate = (xml: string) => host.call('editor', 'POST', '/bpmn/validate', { json: { xml } });
  expect(await validate(sequenceModel('valid', []))).toMatchObject({ status: 200, body: { errors: [], warnings: [] } });
  const wrong = await validate(wrongModel);
  expect(wrong.status).toBe(200);
  expect(wrong.body.errors.length).toBeGreaterThan(0);
  expect((await validate('not xml')).body.errors).toEqual([expect.objectContaining({ severity: 'error' })]);
  expect((await host.call('viewer', 'GET', '/bpmn/resources')).body.pagination.total).toBe(before);
});

test('a test instance runs the process of its resource, though a newer version is deployed', async () => {
  const { body: older } = await create(sequenceModel('tested', [scriptTask('set', '=1', 'which')]));
  await host.call('editor', 'POST', `/bpmn/resources/${older.id}/deploy`);
  await deploy(host, sequenceModel('tested', [scriptTask('set', '=2', 'which')]));
  const started = await host.call('editor', 'POST', `/bpmn/resources/${older.id}/test`, {
    json: { businessId: 'trial' },
  });
  expect(started.status).toBe(201);
  const instance = await untilStatus(host, started.body.workflowID, 'COMPLETED');
  expect(instance).toMatchObject({ processVersion: 1, businessId: 'trial', variables: { which: 1 } });
  const wrong = await host.call('editor', 'POST', `/bpmn/resources/${older.id}/test`, { json: { processID: 'other' } });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a refusal ends with one period, with or without one in its text', async () => {
  const { body: draft } = await create(sequenceModel('with_period', []));
  await host.call('editor', 'POST', `/bpmn/resources/${draft.id}/deploy`, { json: {} });
  const refused = await host.call('editor', 'PUT', `/bpmn/resources/${draft.id}`, {
    json: { name: 'r', xml: sequenceModel('with_period', []) },
  });
  expect(refused.body.message).toBe(`Resource ${draft.id} is deployed and cannot change. Create a new one.`);
});

test('a draft with the tag that was read is changed, and one that another person has changed is not', async () => {
  const created = await create(sequenceModel('tagged', []), 'first');
  const path = `/bpmn/resources/${created.body.id}`;
  const put = (name: string, tag?: string) =>
    host.call('editor', 'PUT', path, {
      json: { name, xml: sequenceModel('tagged', []) },
      ...(tag !== undefined && { headers: { 'If-Match': tag } }),
    });
  const read = await host.call('viewer', 'GET', path);
  const tag = read.headers.get('ETag')!;
  expect(created.headers.get('ETag')).toBe(tag);

  const mine = await put('mine', tag);
  expect(mine.status).toBe(200);
  expect(mine.headers.get('ETag')).not.toBe(tag);
  const theirs = await put('theirs', tag);
  const current = mine.headers.get('ETag');
  expect(theirs).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED', details: { etag: current } } });
  expect(theirs.headers.get('ETag')).toBe(current);
  expect((await host.call('viewer', 'GET', path)).body.name).toBe('mine');

  expect((await put('one of two', `"elsewhere", ${current}`)).status).toBe(200);
  expect((await put('any state', '*')).status).toBe(200);
  expect((await put('as before')).status).toBe(200);
});

test.each([
  ['a weak tag, which names no state exactly', 'W/"1"', 412],
  ['a tag of another origin', '"0123-abc,def"', 412],
  ['a number too large for a revision', '"99999999999999999999"', 412],
  ['no list of tags', '1', 400],
  ['an empty text', ' , ', 400],
])('If-Match with %s is refused', async (_what, header, status) => {
  const { body: draft } = await create(sequenceModel('strange', []));
  const put = await host.call('editor', 'PUT', `/bpmn/resources/${draft.id}`, {
    json: { name: 'strange', xml: sequenceModel('strange', []) },
    headers: { 'If-Match': header },
  });
  expect(put.status).toBe(status);
});
