import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { COMMAND_SIGNAL } from '../../workflows/messages.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost({ outboxRelay: false });
  await host.deploy(
    processModel(
      'twoJobs',
      [startEvent('start'), serviceTask('first'), serviceTask('second'), endEvent('end')],
      ['a: start -> first', 'b: first -> second', 'c: second -> end'],
    ),
  );
});
afterAll(() => host.close());

async function started(): Promise<string> {
  const id = await host.start('twoJobs');
  await host.wait(id, 'job', 'first');
  return id;
}

test('a command that arrives several times is handled once', async () => {
  const id = await started();
  const command = await host.write(id, { kind: 'SET_VARIABLES', variables: { x: 1 } });
  for (let times = 0; times < 3; times += 1) await host.instances.signal(id, command);
  await host.outcome(id, command.number);
  await host.instances.signal(id, command);
  await host.completeJob(id, 'first');
  await host.completeJob(id, 'second');
  await host.handle(id).result();
  const { rows } = await host.store.query<{ facts: { kind: string }[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1',
    [id],
  );
  const handled = rows.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'COMMAND_HANDLED');
  expect(handled).toEqual([1, 2, 3].map((number) => ({ kind: 'COMMAND_HANDLED', number })));
});

test('commands that arrive out of order are handled in the order of their numbers', async () => {
  const id = await started();
  const commands = [];
  for (const value of [1, 2, 3, 4])
    commands.push(await host.write(id, { kind: 'SET_VARIABLES', variables: { last: value } }));
  for (const command of [...commands].reverse()) await host.instances.signal(id, command);
  await host.outcome(id, 4);
  expect((await host.row(id)).status).toBe('RUNNING');
  expect((await host.state(id)).elements[1]!.variables).toEqual({ last: 4 });
  await host.handle(id).terminate();
});

test('a command whose predecessor has not arrived waits for it', async () => {
  const id = await started();
  const early = await host.write(id, { kind: 'SET_VARIABLES', variables: { x: 1 } });
  const late = await host.write(id, { kind: 'SET_VARIABLES', variables: { y: 2 } });
  await host.instances.signal(id, late);
  await host.instances.signal(id, early);
  expect(await host.outcome(id, late.number)).toMatchObject({ status: 'APPLIED' });
  expect((await host.state(id)).elements[1]!.variables).toEqual({ x: 1, y: 2 });
  await host.handle(id).terminate();
});

test('large commands travel by reference and together do not overflow what the server takes at once', async () => {
  const id = await started();
  const large = (index: number) => ({
    kind: 'SET_VARIABLES' as const,
    variables: { large: `${index}`.padEnd(700_000, 'x') },
  });
  const commands = [];
  for (let index = 0; index < 8; index += 1) commands.push(await host.write(id, large(index)));
  for (const command of commands) await host.instances.signal(id, command);
  await host.outcome(id, 8);
  expect((await host.state(id)).elements[1]!.variables).toEqual(large(7).variables);
  const { events } = await host.handle(id).fetchHistory();
  expect(events!.filter(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes)).toEqual([]);
  await host.handle(id).terminate();
});

test('a signal that is not a command changes nothing', async () => {
  const id = await started();
  for (const nonsense of [null, 'complete', 7, {}, { number: 'one' }, { number: -1 }, []])
    await host.handle(id).signal(COMMAND_SIGNAL, nonsense);
  await host.completeJob(id, 'first');
  await host.completeJob(id, 'second');
  await host.handle(id).result();
  expect((await host.row(id)).status).toBe('COMPLETED');
});

test('a cancellation asked for in Temporal cancels the instance', async () => {
  const id = await started();
  await host.handle(id).cancel();
  const { rows } = await waitForCommand(id);
  await host.instances.signal(id, { kind: 'CANCEL_INSTANCE', number: rows[0]!.number, reason: 'Canceled in Temporal' });
  expect((await host.ended(id)).status).toBe('CANCELED');
  await host.handle(id).result();
});

async function waitForCommand(id: string) {
  return eventually('the command', async () => {
    const found = await host.store.query<{ number: number }>('SELECT number FROM commands WHERE workflow_id = $1', [
      id,
    ]);
    return found.rowCount ? found : undefined;
  });
}
