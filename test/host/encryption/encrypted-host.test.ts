/** Hosts that send Temporal only encrypted payloads. */
import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { temporal as protocol } from '@temporalio/proto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessTokens, unwrap, createClient, workOnJobs, type PerdureClient } from '@perdure/client';
import { EncryptionCodec } from '../../../temporal/codec.js';
import { readKeyRing } from '../../../temporal/key-ring.js';
import { freePort } from '../../../dev/ports.js';
import { compiledScript } from '../../../dev/repository.js';
import { scriptTask, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { forgetWorker } from '../../support/forget-worker.js';
import { untilAllAgree } from '../../support/agreement.js';
import { startHost, type Host } from '../../support/hosts/host.js';
import {
  createDatabase,
  issuerTokenEndpoint,
  temporalAddress,
  tokenFor,
  uniqueName,
  type TestDatabase,
} from '../../support/infrastructure.js';
import { openDatabase } from '../../support/database.js';
import { quietRuntime } from '../../support/quiet-runtime.js';
import { replayAll } from '../../support/replays.js';

vi.setConfig({ testTimeout: 240_000 });
quietRuntime();

const projectID = 'demo';
const processID = uniqueName('confidential');
const secret = uniqueName('secret');
const [first, second] = ['first', 'second'].map((name) => `${name}=${randomBytes(32).toString('base64')}`) as [
  string,
  string,
];
let database: TestDatabase;
let host: Host | undefined;
let executor: PerdureClient;
let editor: PerdureClient;
let given: NodeJS.ProcessEnv;
let connection: Connection;

beforeAll(async () => {
  database = await createDatabase();
  connection = await Connection.connect({ address: await temporalAddress() });
  given = { DATABASE_URL: database.url, TEMPORAL_TASK_QUEUE: uniqueName('encrypted'), LOG_LEVEL: 'warn' };
});
afterAll(async () => {
  await connection?.close();
  await host?.stop();
  await database?.drop();
});

async function replaceHost(environment: NodeJS.ProcessEnv): Promise<void> {
  await host?.stop();
  host = undefined;
  host = await startHost({ ...given, ...environment });
  const { api } = host;
  const tokenEndpoint = await issuerTokenEndpoint();
  const client = (name: string) =>
    createClient({ api, accessToken: accessTokens({ tokenEndpoint, clientID: name, clientSecret: `dev-${name}` }) });
  [executor, editor] = [client('executor'), client('editor')];
}

async function deploy(): Promise<string> {
  const xml = sequenceModel(processID, [
    serviceTask('work', { type: processID }),
    scriptTask('sum', `="${secret}-script"`, 'made'),
    userTask('look'),
  ]);
  const { id: resourceID } = await unwrap(
    editor.POST('/projects/{projectID}/bpmn/resources', {
      params: { path: { projectID } },
      body: { name: 'a model', xml },
    }),
  );
  const params = { path: { projectID, resourceID } };
  await unwrap(editor.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
  const { processes } = await unwrap(editor.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
  return processes![0]!.id;
}

async function start(processDefinitionID: string): Promise<string> {
  return (
    await unwrap(
      executor.POST('/projects/{projectID}/bpmn/instances', {
        params: { path: { projectID } },
        body: { processDefinitionID, variables: { name: `${secret}-start` } },
      }),
    )
  ).workflowID;
}

/** Does the job, then the task: the instance has signals, local activities and an end. */
async function finish(workflowID: string): Promise<void> {
  const stop = new AbortController();
  const working = workOnJobs(
    {
      client: executor,
      projectID,
      clientID: uniqueName('worker'),
      taskType: processID,
      handler: async () => ({ result: `${secret}-result` }),
    },
    stop.signal,
  );
  const params = { path: { projectID, workflowID } };
  const task = await vi.waitFor(
    async () => {
      const { data } = await unwrap(
        executor.GET('/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks', { params }),
      );
      return data[0] ?? expect.fail('there is no task yet');
    },
    { timeout: 60_000, interval: 100 },
  );
  stop.abort();
  await working;
  await unwrap(
    executor.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
      params: { path: { projectID, executionKey: task.executionKey } },
      body: { variables: { note: `${secret}-note` } },
    }),
  );
  await vi.waitFor(
    async () => {
      const state = await unwrap(executor.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params }));
      expect(state).toMatchObject({
        status: 'COMPLETED',
        variables: {
          name: `${secret}-start`,
          result: `${secret}-result`,
          made: `${secret}-script`,
          note: `${secret}-note`,
        },
      });
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** The history as it lies in Temporal, and all that Temporal says next to it. */
async function kept(workflowID: string) {
  const handle = new Client({ connection }).workflow.getHandle(workflowID);
  await vi.waitFor(async () => expect((await handle.describe()).status.name).toBe('COMPLETED'), {
    timeout: 30_000,
    interval: 100,
  });
  const history = await handle.fetchHistory();
  const { raw } = await handle.describe();
  const bytes = Buffer.concat([
    Buffer.from(protocol.api.history.v1.History.encode(history).finish()),
    Buffer.from(protocol.api.workflowservice.v1.DescribeWorkflowExecutionResponse.encode(raw).finish()),
  ]);
  return { history, text: bytes.toString('latin1') };
}

async function replay(
  workflowID: string,
  history: protocol.api.history.v1.IHistory,
  keys: string,
): Promise<Error | undefined> {
  const dataConverter = { payloadCodecs: [new EncryptionCodec(readKeyRing(keys)!)] };
  const [error] = await replayAll({ bundlePath: compiledScript('workflow-bundle.js'), dataConverter }, [
    { workflowID, history },
  ]);
  return error;
}

it('keys come and change while instances run: Temporal gets no variable, expression or name from the first key on', async () => {
  await replaceHost({});
  const definitionID = await deploy();
  const [inTheOpen, acrossTheFirst] = [await start(definitionID), await start(definitionID)];
  await finish(inTheOpen);
  expect((await kept(inTheOpen)).text).toContain(`${secret}-start`);

  await replaceHost({ TEMPORAL_PAYLOAD_KEYS: first });
  await forgetWorker(connection, [acrossTheFirst]);
  await finish(acrossTheFirst);
  const [withTheFirst, acrossTheSecond] = [await start(definitionID), await start(definitionID)];
  await finish(withTheFirst);
  const { history, text } = await kept(withTheFirst);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(`${processID} by name`);
  expect(await replay(withTheFirst, history, first)).toBeUndefined();
  expect((await replay(withTheFirst, history, second))?.message).toMatch(/key \\"first\\" is not configured/);

  await replaceHost({ TEMPORAL_PAYLOAD_KEYS: `${second},${first}` });
  await forgetWorker(connection, [acrossTheSecond]);
  await finish(acrossTheSecond);
  expect(await replay(acrossTheSecond, (await kept(acrossTheSecond)).history, `${second},${first}`)).toBeUndefined();
  const withTheSecond = await start(definitionID);
  await finish(withTheSecond);
  expect(await replay(withTheSecond, (await kept(withTheSecond)).history, second)).toBeUndefined();
  await expectAgreement(`${second},${first}`);
});

/** Rows, facts and Temporal tell the same, for who has the keys. */
async function expectAgreement(keys: string): Promise<void> {
  const store = openDatabase(database.url);
  try {
    const client = new Client({
      connection,
      dataConverter: { payloadCodecs: [new EncryptionCodec(readKeyRing(keys)!)] },
    });
    await untilAllAgree(store, client);
  } finally {
    await store.end();
  }
}

it('the Temporal UI gets payloads decrypted for a system admin, and for no one else', async () => {
  const codecPort = await freePort();
  await replaceHost({
    TEMPORAL_PAYLOAD_KEYS: first,
    CODEC_PORT: String(codecPort),
    CODEC_ORIGINS: 'https://temporal.example.com',
  });
  const workflowID = await start(await deploy());
  await finish(workflowID);
  const { history } = await kept(workflowID);
  const input = history.events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!;
  const payloads = [
    {
      metadata: Object.fromEntries(
        Object.entries(input.metadata!).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
      ),
      data: Buffer.from(input.data!).toString('base64'),
    },
  ];
  const url = `http://127.0.0.1:${codecPort}`;
  const ask = async (account: string | undefined, path = '/decode', body: unknown = { payloads }) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Namespace': 'default',
        Origin: 'https://temporal.example.com',
        ...(account && { Authorization: `Bearer ${await tokenFor(account)}` }),
      },
      body: JSON.stringify(body),
    });

  const answer = await ask('system-admin');
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://temporal.example.com');
  const decoded = (await answer.json()) as { payloads: { metadata: { encoding: string }; data: string }[] };
  expect(Buffer.from(decoded.payloads[0]!.metadata.encoding, 'base64').toString()).toBe('json/plain');
  expect(Buffer.from(decoded.payloads[0]!.data, 'base64').toString()).toContain(`${secret}-start`);
  const encoded = await (await ask('system-admin', '/encode', decoded)).json();
  expect(await (await ask('system-admin', '/decode', encoded)).json()).toEqual(decoded);

  expect((await ask(undefined)).status).toBe(401);
  expect((await ask('admin')).status).toBe(404);
  expect((await ask('system-admin', '/decode', { payloads: [{ data: '%' }] })).status).toBe(400);
  expect(
    (await ask('system-admin', '/decode', { payloads: [{ ...payloads[0], data: payloads[0]!.data.slice(4) }] })).status,
  ).toBe(422);
  const preflight = (origin: string) =>
    fetch(`${url}/decode`, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } });
  const allowed = await preflight('https://temporal.example.com');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull();
});
