import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, extensions, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { rows } from '../../store/sql/database.js';
import { eraseInstance } from '../../store/retention/erase.js';
import { deleteBehindRemoved } from '../../store/retention/retention.js';
import { deleteErasedWorkflows } from '../../worker/erasure/erased-workflows.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

const MARKER = 'marker-7f3a';
let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called" propagateAllChildVariables="true"/>')}</bpmn:callActivity>`;
  await host.deploy(
    processModel('calling', [startEvent('start'), call, endEvent('end')], ['a: start -> call', 'b: call -> end']),
  );
  await host.deploy(
    processModel(
      'called',
      [startEvent('start'), serviceTask('inside'), endEvent('end')],
      ['a: start -> inside', 'b: inside -> end'],
    ),
  );
});
afterAll(() => host.close());

async function tablesWith(text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    host.store,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    [],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await host.store.query(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text]);
    if (rowCount) found.push(name);
  }
  return found;
}

test('erasing an instance removes its values from every table and its workflows from Temporal', async () => {
  const id = await host.start('calling', { given: MARKER }, { businessID: MARKER });
  const wait = await eventually(
    'the call',
    async () => (await host.wait(id, 'child', 'call')) as { workflowID: string },
  );
  const child = wait.workflowID;
  await host.completeJob(child, 'inside', { result: MARKER });
  await host.handle(id).result();
  await host.handle(child).result();
  expect(await tablesWith(MARKER)).toContain('steps');

  expect(await eraseInstance(host.store, { projectID: project, workflowID: child })).toMatchObject({
    code: 'CONFLICT',
  });
  expect(await eraseInstance(host.store, { projectID: project, workflowID: id })).toEqual({ kind: 'changed' });
  expect(await tablesWith(id)).not.toContain('jobs');
  expect(await eraseInstance(host.store, { projectID: project, workflowID: id })).toMatchObject({ code: 'NOT_FOUND' });

  while (await deleteBehindRemoved(host.store));
  expect(await tablesWith(MARKER)).toEqual([]);
  await host.store.query("UPDATE erased_instances SET erased_at = now() - interval '1 hour'");
  await eventually('Temporal to know neither workflow', async () => {
    await host.store.query('UPDATE erased_instances SET due_at = now()');
    await deleteErasedWorkflows(host, new AbortController().signal);
    return (await tablesWith(id)).includes('erased_instances') ? undefined : true;
  });
  for (const workflowID of [id, child])
    await expect(host.handle(workflowID).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
});

test('an instance is not erased while it or one below it runs', async () => {
  const id = await host.start('calling');
  const { workflowID: child } = (await host.wait(id, 'child', 'call')) as { workflowID: string };
  expect(await eraseInstance(host.store, { projectID: project, workflowID: id })).toMatchObject({ code: 'CONFLICT' });
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  await host.ended(id);
  await host.ended(child);
  const outcomes = await Promise.all(
    [1, 2].map(() => eraseInstance(host.store, { projectID: project, workflowID: id })),
  );
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['changed', 'refused']);
});
