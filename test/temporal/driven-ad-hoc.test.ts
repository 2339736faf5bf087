/** An ad-hoc sub-process that a job worker drives, with the workflow worker killed again and again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandBody, JobResult } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { adHocSubProcess, endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { MortalWorker } from './support/mortal-worker.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let worker: MortalWorker;

beforeAll(async () => {
  host = await openTemporalHost({ worker: false, workflowTaskSeconds: 3 });
  worker = new MortalWorker(host, process.env['PERDURE_FAULT_DEATHS']);
  const agent = adHocSubProcess('agent', [serviceTask('search'), serviceTask('mail')], [], {
    job: 'agent',
    output: { collection: 'results', element: '=found' },
  });
  await host.deploy(processModel('p', [startEvent('s'), agent, endEvent('e')], ['f1: s -> agent', 'f2: agent -> e']));
});
afterAll(async () => {
  await worker.kill();
  await host.close();
});

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
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), activate('mail'), { isRepeated: true });
  await worker.completeJobBetweenDeaths(id, await jobAt('mail'), { variables: { found: 2 } }, { isRepeated: true });
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), { result: { isCompletionConditionFulfilled: true } });
  await host.handle(id).result();
  const created = (await factsOf(id)).flatMap((fact) => (fact.kind === 'JOB_CREATED' ? [fact.node] : []));
  expect(created).toEqual(['agent', 'search', 'agent', 'mail', 'agent']);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ results: [1, 2] });
  await host.replay(id);
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
  const decision = { result: { activateElements: [{ elementId: 'mail', variables }] } };
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), decision, { isRepeated: true });
  const task = (await host.wait(id, 'userTask', 'mail#approval')).id;
  await worker.giveBetweenDeaths(id, { kind: 'COMPLETE_USER_TASK', execution: task, variables: { approved: true } });
  await worker.completeJobBetweenDeaths(id, await jobAt('mail'), { variables: { toolCallResult: 'sent' } });
  const done = { result: { isCompletionConditionFulfilled: true } };
  await worker.completeJobBetweenDeaths(id, await jobAt('agent'), done, { isRepeated: true });
  await host.handle(id).result();
  const facts = await factsOf(id);
  const created = facts.flatMap((fact) => (fact.kind.endsWith('_CREATED') && 'node' in fact ? [fact.node] : []));
  expect(created).toEqual(['agent', 'mail#approval', 'mail', 'agent']);
  await host.replay(id);
}, 180_000);

test('a decision that does not apply is rejected, and its job can be completed again', async () => {
  await worker.start();
  const id = await host.start('p');
  const execution = (await host.wait(id, 'job', 'agent')).id;
  const complete = (more: object) => host.command(id, { kind: 'COMPLETE_JOB', execution, ...more } as CommandBody);
  expect(await complete(activate('nothing'))).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  expect(await complete({ result: { isCompletionConditionFulfilled: true } })).toMatchObject({ status: 'APPLIED' });
  await host.handle(id).result();
}, 90_000);
