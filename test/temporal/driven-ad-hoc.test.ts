/** An ad-hoc sub-process that a job worker drives, with the workflow worker killed again and again. */
import { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CommandBody, JobResult } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { adHocSubProcess, endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { MortalWorker } from './support/mortal-worker.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let worker: MortalWorker;

beforeAll(async () => {
  host = await openTemporalHost({ worker: false });
  worker = new MortalWorker(host);
  const agent = adHocSubProcess('agent', [serviceTask('search'), serviceTask('mail')], [], {
    job: 'agent',
    output: { collection: 'results', element: '=found' },
  });
  await host.deploy(processModel('p', [startEvent('s'), agent, endEvent('e')], ['f1: s -> agent', 'f2: agent -> e']));
});
afterEach(async () => {
  await worker.kill();
  await host.stopWorker();
});
afterAll(() => host.close());

async function factsOf(id: string): Promise<Fact[]> {
  const { rows } = await host.store.query<{ facts: Fact[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1 ORDER BY number',
    [id],
  );
  return rows.flatMap(({ facts }) => facts);
}

const activate = (...tools: string[]): { result: JobResult } => ({
  result: { activateElements: tools.map((elementId) => ({ elementId, variables: { found: null } })) },
});

test('a worker killed around every decision and every tool: no tool runs twice, and the history replays', async () => {
  await worker.start();
  const id = await host.start('p');
  const jobAt = async (node: string) => (await host.wait(id, 'job', node)).id;
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), activate('search'));
  await worker.completeJobBetweenDeaths(id, await jobAt('search'), { variables: { found: 1 } });
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), activate('mail'));
  await worker.completeJobBetweenDeaths(id, await jobAt('mail'), { variables: { found: 2 } });
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), { result: { isCompletionConditionFulfilled: true } });
  await host.handle(id).result();
  const created = (await factsOf(id)).flatMap((fact) => (fact.kind === 'JOB_CREATED' ? [fact.node] : []));
  expect(created).toEqual(['agent', 'search', 'agent', 'mail', 'agent']);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ results: [1, 2] });
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
    await host.handle(id).fetchHistory(),
    id,
  );
}, 180_000);

test('a worker killed around an approval: the tool runs once, after it, and the history replays', async () => {
  const agent = adHocSubProcess('agent', [serviceTask('mail')], [], {
    job: 'perdure:agent',
    inputs: { url: 'https://models.example/v1', model: 'm', goal: 'Help', approve: '=["mail"]' },
  });
  await host.deploy(processModel('a', [startEvent('s'), agent, endEvent('e')], ['f1: s -> agent', 'f2: agent -> e']));
  await worker.start();
  const id = await host.start('a');
  const jobAt = async (node: string) => (await host.wait(id, 'job', node)).id;
  const variables = { toolCall: { _meta: { id: 'c1', name: 'mail' } }, toolCallResult: null };
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), {
    result: { activateElements: [{ elementId: 'mail', variables }] },
  });
  const task = (await host.wait(id, 'userTask', 'mail#approval')).id;
  await worker.giveBetweenDeaths(id, { kind: 'COMPLETE_USER_TASK', execution: task, variables: { approved: true } });
  await worker.completeJobBetweenDeaths(id, await jobAt('mail'), { variables: { toolCallResult: 'sent' } });
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), { result: { isCompletionConditionFulfilled: true } });
  await host.handle(id).result();
  const facts = await factsOf(id);
  const created = facts.flatMap((fact) => (fact.kind.endsWith('_CREATED') && 'node' in fact ? [fact.node] : []));
  expect(created).toEqual(['agent', 'mail#approval', 'mail', 'agent']);
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
    await host.handle(id).fetchHistory(),
    id,
  );
}, 180_000);

test('a decision that does not apply is rejected, and its job can be completed again', async () => {
  await host.startWorker();
  const id = await host.start('p');
  const execution = (await host.wait(id, 'job', 'agent')).id;
  const complete = (more: object) => host.command(id, { kind: 'COMPLETE_JOB', execution, ...more } as CommandBody);
  expect(await complete(activate('nothing'))).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  expect(await complete({ result: { isCompletionConditionFulfilled: true } })).toMatchObject({ status: 'APPLIED' });
  await host.handle(id).result();
}, 90_000);
