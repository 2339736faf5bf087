/** Connectors that die around a request to a model: the first stored answer counts, and no tool runs twice. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { serviceTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import type { HostProcess } from '../support/hosts/host-process.js';
import { agentModel, completion, says } from './support/agents.js';
import { startProcesses, type Connector, type Processes } from './support/processes.js';
import { answerWith, startService, type Answer, type Service } from './support/service.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let service: Service;
let processes: Processes;
let host: HostProcess;
let connector: Connector;
beforeAll(async () => {
  service = await startService();
  processes = await startProcesses(service.url, { MODEL: 'key-of-the-model-4711' });
  [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
});
afterAll(async () => {
  await processes?.close();
  await service?.close();
});

let tests = 0;
let name: string;
beforeEach(() => {
  name = `agent${(tests += 1)}`;
});

const bodies = () => service.received.filter(({ url }) => url === `/${name}`).map(({ body }) => JSON.parse(body));
/** Requests of the tool, which an HTTP task sends. */
const toolRequests = () => service.received.filter(({ url }) => url === `/${name}-tool`);

function begin(answer: Answer): Promise<string> {
  service.on(`/${name}`, answer);
  service.on(`/${name}-tool`, answerWith(200, { found: true }));
  const tool = serviceTask('look', {
    type: 'perdure:http',
    inputs: { url: `${service.url}/${name}-tool`, method: 'POST', body: '={}' },
    headers: { resultExpression: '={toolCallResult: response.body.found}', retryBackoff: 'PT0S' },
  });
  return processes.begin(agentModel(name, `${service.url}/${name}`, { inputs: { goal: 'Help' }, tools: [tool] }));
}

/** Calls the tool in the first turn, then ends. */
const toolThenEnd: Answer = (received, response) => {
  const hasResult = JSON.parse(received.body).messages.some(({ role }: { role: string }) => role === 'tool');
  (hasResult ? says('Done.') : says(null, 'look'))(received, response);
};

async function kill(): Promise<void> {
  connector.child.kill('SIGKILL');
  await connector.exited;
}

/** Skips the leases of the one that died. */
async function replace(): Promise<void> {
  await processes.store.query("UPDATE jobs SET available_at = now(), lock_expires_at = now() WHERE status = 'PENDING'");
  connector = await processes.startConnector();
}

async function turnsOf(workflowID: string): Promise<any[]> {
  return (await processes.call('viewer', 'GET', `/bpmn/instances/${workflowID}/agents/agent/turns?pageSize=100`)).data;
}

it('a connector killed before the answer is asked again for the same turn, and both requests count', async () => {
  let isFirst = true;
  const workflowID = await begin((received, response) => {
    if (!isFirst) return toolThenEnd(received, response);
    isFirst = false;
  });
  await eventually('the request', () => (bodies().length > 0 ? true : undefined));
  await kill();
  await replace();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ answer: 'Done.' });
  expect(bodies()).toHaveLength(3);
  expect(toolRequests()).toHaveLength(1);
  expect(await turnsOf(workflowID)).toHaveLength(2);
  const { rows } = await processes.store.query<{ counted: number }>(
    'SELECT counted_tokens::float8 AS counted FROM agent_turns WHERE workflow_id = $1 ORDER BY turn',
    [workflowID],
  );
  expect(rows[0]!.counted).toBeGreaterThan(4_096);
  expect(rows[1]!.counted).toBe(110);
});

it('a connector killed between the stored answer and its act is replaced by one that does not ask again', async () => {
  let respond = (): void => undefined;
  const workflowID = await begin((received, response) => {
    if (bodies().length > 1) return toolThenEnd(received, response);
    respond = () => toolThenEnd(received, response);
  });
  await eventually('the request', () => (bodies().length > 0 ? true : undefined));
  await processes.store.transaction(async (holder) => {
    await holder.query('SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [workflowID]);
    respond();
    await eventually('the report that waits for the lock', async () => {
      const { rowCount } = await processes.store.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      const [turn] = await turnsOf(workflowID);
      return rowCount && turn?.durationMs !== undefined ? true : undefined;
    });
    await kill();
  });
  await replace();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ answer: 'Done.' });
  expect(bodies()).toHaveLength(2);
  expect(toolRequests()).toHaveLength(1);
});

it('a first stored answer wins over that of a connector that has lost its lease', async () => {
  const responses: (() => void)[] = [];
  const workflowID = await begin((received, response) => {
    if (bodies().length > 2) return toolThenEnd(received, response);
    const text = `answer ${responses.length + 1}`;
    responses.push(() => answerWith(200, completion(text))(received, response));
  });
  await eventually('the first request', () => (responses.length > 0 ? true : undefined));
  // Another connector leases the job while the first one still waits for its model.
  const second = await processes.startConnector();
  await processes.store.query(
    "UPDATE jobs SET available_at = now(), lock_expires_at = now(), lease = lease + 1 WHERE workflow_id = $1 AND status = 'PENDING'",
    [workflowID],
  );
  await eventually('the second request', () => (responses.length > 1 ? true : undefined));
  responses[1]!();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ answer: 'answer 2' });
  responses[0]!();
  second.child.kill('SIGTERM');
  await second.exited;
  expect(await turnsOf(workflowID)).toMatchObject([{ turn: 1, text: 'answer 2' }]);
});

it('ten agents while everything is killed twice call each tool once', async () => {
  const WANTED = 3;
  service.on(`/${name}-tool`, answerWith(200, { found: true }));
  const answer: Answer = (received, response) => {
    const results = JSON.parse(received.body).messages.filter(({ role }: { role: string }) => role === 'tool').length;
    (results < WANTED ? says(null, 'look') : says('Done.'))(received, response);
  };
  const first = await begin(answer);
  const xml = (index: number) =>
    agentModel(`${name}x${index}`, `${service.url}/${name}`, {
      inputs: { goal: 'Help' },
      tools: [
        serviceTask('look', {
          type: 'perdure:http',
          retries: 9,
          inputs: { url: `${service.url}/${name}-tool`, method: 'POST', body: '={}' },
          headers: { resultExpression: '={toolCallResult: response.body.found}', retryBackoff: 'PT0S' },
        }),
      ],
    });
  const others = await Promise.all(Array.from({ length: 9 }, (_, index) => processes.begin(xml(index))));
  for (const requests of [6, 18]) {
    await eventually('some requests', () => (bodies().length >= requests ? true : undefined));
    host.child.kill('SIGKILL');
    await Promise.all([host.exited, kill()]);
    host = await processes.startHost();
    await replace();
  }
  for (const workflowID of [first, ...others]) {
    expect(await processes.untilCompleted(workflowID)).toMatchObject({ answer: 'Done.' });
    const turns = await turnsOf(workflowID);
    expect(turns).toHaveLength(WANTED + 1);
    expect(turns.flatMap(({ toolCalls }) => toolCalls)).toMatchObject(
      Array.from({ length: WANTED }, () => ({ result: true })),
    );
    const jobs = await processes.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs?pageSize=100`);
    expect(jobs.data.filter(({ taskType }: { taskType: string }) => taskType === 'perdure:http')).toHaveLength(WANTED);
  }
});
