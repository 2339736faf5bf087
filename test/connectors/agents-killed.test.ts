/** Connectors that die around a request to a model: the first stored answer counts, and no tool runs twice. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serviceTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import type { HostProcess } from '../support/hosts/host-process.js';
import { agentModel, completion, says } from './support/agents.js';
import { startProcesses, type Connector, type Processes } from './support/processes.js';
import { answerWith, startService, type Answer, type Service } from './support/service.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** How often everything is killed; `npm run faults` does it more often, with more agents. */
const kills = Number(process.env['CONNECTOR_KILLS'] || 1);
const AGENTS = 5 * kills;

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

const bodies = (name: string) =>
  service.received.filter(({ url }) => url === `/${name}`).map(({ body }) => JSON.parse(body));
/** Requests of the tool, which an HTTP task sends. */
const toolRequests = (name: string) => service.received.filter(({ url }) => url === `/${name}-tool`);

/** @param path of the model and of the tool in the service */
function begin(name: string, path = name): Promise<string> {
  const tool = serviceTask('look', {
    type: 'perdure:http',
    retries: 9,
    inputs: { url: `${service.url}/${path}-tool`, method: 'POST', body: '={}' },
    headers: { resultExpression: '={toolCallResult: response.body.found}', retryBackoff: 'PT0S' },
  });
  return processes.begin(agentModel(name, `${service.url}/${path}`, { inputs: { goal: 'Help' }, tools: [tool] }));
}

function serve(path: string, model: Answer): void {
  service.on(`/${path}`, model);
  service.on(`/${path}-tool`, answerWith(200, { found: true }));
}

/** Calls the tool in the first turn, then ends. */
const toolThenEnd: Answer = (received, response) => {
  const hasResult = JSON.parse(received.body).messages.some(({ role }: { role: string }) => role === 'tool');
  (hasResult ? says('Done.') : says(null, 'look'))(received, response);
};

async function turnsOf(workflowID: string): Promise<any[]> {
  return (await processes.call('viewer', 'GET', `/bpmn/instances/${workflowID}/agents/agent/turns?pageSize=100`)).data;
}

it('a first stored answer wins over that of a connector that has lost its lease', async () => {
  const responses: (() => void)[] = [];
  serve('twice', (received, response) => {
    const text = `answer ${responses.length + 1}`;
    responses.push(() => answerWith(200, completion(text))(received, response));
  });
  const workflowID = await begin('twice');
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
  connector.child.kill('SIGTERM');
  await connector.exited;
  connector = second;
  expect(await turnsOf(workflowID)).toMatchObject([{ turn: 1, text: 'answer 2' }]);
});

describe('a connector killed', () => {
  let unanswered: string;
  let unacted: string;
  beforeAll(async () => {
    let isFirst = true;
    serve('unanswered', (received, response) => {
      if (!isFirst) return toolThenEnd(received, response);
      isFirst = false;
    });
    let respond = (): void => undefined;
    serve('unacted', (received, response) => {
      if (bodies('unacted').length > 1) return toolThenEnd(received, response);
      respond = () => toolThenEnd(received, response);
    });
    [unanswered, unacted] = await Promise.all([begin('unanswered'), begin('unacted')]);
    await eventually('both requests', () =>
      bodies('unanswered').length > 0 && bodies('unacted').length > 0 ? true : undefined,
    );
    await processes.store.transaction(async (holder) => {
      await holder.query('SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [unacted]);
      respond();
      await eventually('the report that waits for the lock', async () => {
        const { rowCount } = await processes.store.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        const [turn] = await turnsOf(unacted);
        return rowCount && turn?.durationMs !== undefined ? true : undefined;
      });
      await processes.kill(connector);
    });
    await processes.skipLeases();
    connector = await processes.startConnector();
  });

  it('before the answer is asked again for the same turn, and both requests count', async () => {
    expect(await processes.untilCompleted(unanswered)).toMatchObject({ answer: 'Done.' });
    expect(bodies('unanswered')).toHaveLength(3);
    expect(toolRequests('unanswered')).toHaveLength(1);
    expect(await turnsOf(unanswered)).toHaveLength(2);
    const { rows } = await processes.store.query<{ counted: number }>(
      'SELECT counted_tokens::float8 AS counted FROM agent_turns WHERE workflow_id = $1 ORDER BY turn',
      [unanswered],
    );
    expect(rows[0]!.counted).toBeGreaterThan(4_096);
    expect(rows[1]!.counted).toBe(110);
  });

  it('between the stored answer and its act is replaced by one that does not ask again', async () => {
    expect(await processes.untilCompleted(unacted)).toMatchObject({ answer: 'Done.' });
    expect(bodies('unacted')).toHaveLength(2);
    expect(toolRequests('unacted')).toHaveLength(1);
  });
});

it('agents call each tool once while everything is killed', async () => {
  const WANTED = 3;
  serve('many', (received, response) => {
    const results = JSON.parse(received.body).messages.filter(({ role }: { role: string }) => role === 'tool').length;
    (results < WANTED ? says(null, 'look') : says('Done.'))(received, response);
  });
  const workflowIDs = await Promise.all(Array.from({ length: AGENTS }, (_, index) => begin(`many${index}`, 'many')));
  for (let killed = 0; killed < kills; killed += 1) {
    await eventually('some requests', () => (bodies('many').length >= 6 + 12 * killed ? true : undefined));
    await processes.kill(host, connector);
    await processes.skipLeases();
    [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
  }
  for (const workflowID of workflowIDs) {
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
