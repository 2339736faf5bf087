/** Attacks that need a whole host: races for one outcome, twins of a token, and input that should make the host connect somewhere. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, startTestHost, type TestHost } from '../api/operations/support/host.js';
import { scriptTask, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, jobOf, start, takeJob, untilStatus } from '../api/operations/support/steps.js';
import { decision, dmn, literal } from '../dmn/support.js';
import { eventually } from '../support/eventually.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host?.close());

const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test('of fifty completions of one job at once, each with its own variables, one wins', async () => {
  const type = randomUUID();
  const workflowID = await start(host, await deploy(host, sequenceModel('raced', [serviceTask('work', { type })])));
  const { executionKey } = await jobOf(host, workflowID);
  const answers = await times(50, (index) =>
    host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
      json: { workflowID, variables: { winner: index } },
    }),
  );
  const winners = answers.flatMap(({ status }, index) => (status < 300 ? [index] : []));
  expect(winners).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status).filter((status) => status >= 300))).toEqual(new Set([409]));
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { winner: winners[0] } });
});

test('of fifty resolutions of one incident at once, one wins', async () => {
  const workflowID = await start(
    host,
    await deploy(host, sequenceModel('resolved', [scriptTask('divide', '=1 / by', 'x')])),
    {
      variables: { by: 0 },
    },
  );
  const incidents = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
  const [{ incidentID }] = (await eventually(incidents, ({ body }) => body.data.length === 1)).body.data;
  const answers = await times(50, () =>
    host.call('editor', 'POST', `/bpmn/instances/${workflowID}/incidents/${incidentID}/resolve`, {
      json: { variables: { by: 4 } },
    }),
  );
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status).filter((status) => status >= 300))).toEqual(new Set([409]));
  expect(await untilStatus(host, workflowID, 'COMPLETED')).toMatchObject({ variables: { x: 0.25 } });
});

test('variants of a token that differ in unused bits of the signature are the same caller or none', async () => {
  const token = await host.token('executor', { sub: 'ada' });
  const headers = { 'Idempotency-Key': randomUUID() };
  const publish = (twin: string) =>
    host.api.request('POST', '/projects/p1/bpmn/signals', { token: twin, headers, json: { signalName: 'twins' } });
  const first = (await (await publish(token)).json()) as { publicationID: string };
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  let accepted = 0;
  for (const last of alphabet) {
    const answer = await publish(token.slice(0, -1) + last);
    expect([200, 401]).toContain(answer.status);
    if (answer.status !== 200) continue;
    accepted += 1;
    expect(await answer.json(), 'the key stands for the caller, not for the text of the token').toEqual(first);
  }
  expect(accepted).toBeGreaterThan(0);
});

test('processes and decisions that a model names are found in its own project only', async () => {
  const token = await host.api.issuer.sign({ sub: 'neighbour', projects: [{ id: 'p2', roles: ['admin'] }] });
  const there = async (path: string, json?: object) =>
    read(await host.api.request('POST', `/projects/p2${path}`, { token, ...(json && { json }) }));
  const { body: resource } = await there('/bpmn/resources', {
    name: 'shared',
    xml: sequenceModel('neighbour-process', [serviceTask('secret')]),
  });
  expect((await there(`/bpmn/resources/${resource.id}/deploy`)).status).toBe(204);
  expect(
    (await there('/dmn/definitions', { name: 'shared', xml: dmn(decision('neighbour_decision', literal('"secret"'))) }))
      .status,
  ).toBe(201);
  const reaching = sequenceModel('reaching', [
    '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="neighbour-process"/></bpmn:extensionElements></bpmn:callActivity>',
  ]);
  const deciding = sequenceModel('deciding', [
    '<bpmn:businessRuleTask id="rule"><bpmn:extensionElements><zeebe:calledDecision decisionId="neighbour_decision" resultVariable="r"/></bpmn:extensionElements></bpmn:businessRuleTask>',
  ]);
  for (const [xml, nodeID, errorType] of [
    [reaching, 'call', expect.any(String)],
    [deciding, 'rule', 'DecisionNotFound'],
  ] as const) {
    const workflowID = await start(host, await deploy(host, xml));
    const look = async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
    expect((await eventually(look, ({ error }) => error)).incidents).toMatchObject([{ nodeID, errorType }]);
  }
  const { body: instances } = await read(await host.api.request('GET', '/projects/p2/bpmn/instances', { token }));
  expect(instances.data).toEqual([]);
});

test('ids that are issued cannot be guessed from one another', async () => {
  const definitionID = await deploy(host, sequenceModel('ids', [serviceTask('work', { type: randomUUID() })]));
  const ids = await times(20, () => start(host, definitionID));
  // Version 4: 122 random bits.
  for (const id of [definitionID, ...ids])
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeGreaterThan(10);
});

test.each<[string, Record<string, string>]>([
  ['a traceparent of 8 KB', { traceparent: '0'.repeat(8000), tracestate: 'x=y' }],
  ['a traceparent with escapes', { traceparent: '00-\u001b[2J-${jndi:ldap://x}-01' }],
  ['baggage of 8 KB', { baggage: 'a=b,'.repeat(2000) }],
])('%s changes nothing', async (_, headers) => {
  const answer = await host.call('viewer', 'GET', '/bpmn/instances', { headers });
  expect(answer.status).toBe(200);
  expect(JSON.stringify([...answer.headers])).not.toMatch(/jndi|a=b/);
  expect(JSON.stringify(host.api.logs())).not.toContain('jndi');
});

test('nothing that a caller sends makes the host connect anywhere', async () => {
  let connections = 0;
  const canary: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/canary`;
  try {
    for (const header of [{ jku: url }, { x5u: url }, { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, kid: url }]) {
      await host.api.request('GET', '/projects/p1', { token: await host.api.issuer.sign({}, { header }) });
    }
    await host.api.request('GET', '/projects/p1', { token: await host.api.issuer.sign({ iss: url }) });
    const imports = `<bpmn:import importType="http://www.w3.org/2001/XMLSchema" location="${url}" namespace="x" />`;
    const model = sequenceModel('canary', [serviceTask('work', { type: url })]);
    const files = [
      model.replace('<bpmn:process', `${imports}<bpmn:process`),
      model.replace('?>', `?><?xml-stylesheet href="${url}"?>`),
      model.replace('<bpmn:definitions', `<!DOCTYPE d SYSTEM "${url}"><bpmn:definitions`),
      model.replace('id="Definitions', `xsi:schemaLocation="x ${url}" exporter="${url}" id="Definitions`),
    ];
    for (const xml of files) {
      const { status, body } = await host.call('editor', 'POST', '/bpmn/resources', { json: { name: url, xml } });
      expect([201, 400]).toContain(status);
      if (status === 201) await host.call('editor', 'POST', `/bpmn/resources/${body.id}/deploy`);
      await host.call('editor', 'POST', '/bpmn/validate', { json: { xml } });
    }
    const table = dmn(decision('net', literal('1')), { target: 'urn:canary' });
    const importing = table.replace(
      '<decision',
      `<import importType="x" locationURI="${url}" namespace="x" name="x" /><decision`,
    );
    await host.call('editor', 'POST', '/dmn/definitions', { json: { name: 'x', xml: importing } });
    await host.api.request('POST', '/dmn/evaluate/design', {
      token: await host.token('viewer'),
      json: { xml: importing },
    });
    const workflowID = await start(
      host,
      await deploy(host, sequenceModel('url', [serviceTask('work', { type: 'url-type' })])),
      { variables: { callback: url }, businessId: url },
    );
    const job = await takeJob(host, 'url-type', url.slice(0, 100));
    await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      json: { workflowID, clientID: url.slice(0, 100), variables: { $ref: url } },
    });
    await host.call('executor', 'POST', '/bpmn/messages', { json: { messageName: url, correlationKeys: url } });
    await host.call('admin', 'PATCH', '/settings', { json: { description: url } });
    await host.call('viewer', 'GET', '', {
      headers: { Origin: url, Referer: url, Forwarded: `for=${url}`, 'X-Forwarded-Host': url },
    });
    expect(connections).toBe(0);
  } finally {
    await new Promise((resolve) => canary.close(resolve));
  }
});
