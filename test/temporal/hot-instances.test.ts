import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, parallelGateway, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost({ hot: true });
});
afterAll(() => host.close());

const firstTask = ['WorkflowStarted', 'TaskScheduled', 'TaskStarted', 'TaskCompleted'];
const chain = (count: number) => {
  const names = Array.from({ length: count }, (_, index) => `work${index}`);
  const flows = [
    'a: start -> work0',
    ...names.slice(1).map((name, index) => `f${index}: work${index} -> ${name}`),
    `z: work${count - 1} -> end`,
  ];
  return processModel(
    `chain${count}`,
    [startEvent('start'), names.map((name) => serviceTask(name)), endEvent('end')],
    flows,
  );
};
const timer = (id: string, duration: string) =>
  `<bpmn:timerEventDefinition id="${id}"><bpmn:timeDuration>${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;

test('an instance with one job is seven events: one workflow task', async () => {
  await host.deploy(chain(1));
  const id = await host.start('chain1');
  await host.completeJob(id, 'work0', { done: true });
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'Marker', 'Marker', 'WorkflowCompleted']);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ done: true });
  await host.replay(id);
});

test('an instance with five jobs in sequence is eleven events: one workflow task', async () => {
  await host.deploy(chain(5));
  const id = await host.start('chain5');
  for (let index = 0; index < 5; index += 1) await host.completeJob(id, `work${index}`);
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([
    ...firstTask,
    ...Array.from({ length: 6 }, () => 'Marker'),
    'WorkflowCompleted',
  ]);
  await host.replay(id);
});

test('the results of five parallel jobs take at most two workflow tasks', async () => {
  const names = [0, 1, 2, 3, 4].map((index) => `side${index}`);
  const flows = names.flatMap((name) => [`in_${name}: fork -> ${name}`, `out_${name}: ${name} -> join`]);
  await host.deploy(
    processModel(
      'sides',
      [
        startEvent('start'),
        parallelGateway('fork'),
        names.map((name) => serviceTask(name)),
        parallelGateway('join'),
        endEvent('end'),
      ],
      ['a: start -> fork', ...flows, 'z: join -> end'],
    ),
  );
  const id = await host.start('sides');
  await Promise.all(names.map((name) => host.completeJob(id, name)));
  await host.handle(id).result();
  const events = await host.events(id);
  expect(events.filter((event) => event === 'TaskStarted').length).toBeLessThanOrEqual(2);
  await host.replay(id);
});

test('a command that is not a job result is returned by the commit that waits, too', async () => {
  await host.deploy(chain(1));
  const id = await host.start('chain1');
  await host.wait(id, 'job', 'work0');
  expect((await host.command(id, { kind: 'SET_VARIABLES', variables: { x: 1 } })).status).toBe('APPLIED');
  expect((await host.command(id, { kind: 'CANCEL_INSTANCE' })).status).toBe('APPLIED');
  await host.handle(id).result();
  expect((await host.events(id)).filter((event) => event === 'Signaled')).toEqual([]);
  await host.replay(id);
});

test('a timer that is due before the wait would end fires within the workflow task, and no later', async () => {
  await host.deploy(
    processModel(
      'resting',
      [
        startEvent('start'),
        `<bpmn:intermediateCatchEvent id="rest">${timer('d', 'PT0.3S')}</bpmn:intermediateCatchEvent>`,
        endEvent('end'),
      ],
      ['a: start -> rest', 'b: rest -> end'],
    ),
  );
  const id = await host.start('resting');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'Marker', 'Marker', 'WorkflowCompleted']);
  await host.replay(id);
});

test('a boundary timer that is due while the commit waits for a job interrupts the job', async () => {
  const boundary = `<bpmn:boundaryEvent id="late" attachedToRef="work">${timer('d', 'PT0.4S')}</bpmn:boundaryEvent>`;
  await host.deploy(
    processModel(
      'guarded',
      [startEvent('start'), serviceTask('work'), boundary, endEvent('end'), endEvent('tooLate')],
      ['a: start -> work', 'b: work -> end', 'c: late -> tooLate'],
    ),
  );
  const id = await host.start('guarded');
  await host.handle(id).result();
  expect(await host.events(id)).not.toContain('TimerStarted');
  const { rows } = await host.store.query<{ status: string }>('SELECT status FROM jobs WHERE workflow_id = $1', [id]);
  expect(rows).toEqual([{ status: 'CANCELED' }]);
  await host.replay(id);
});

test('a called process that ends at once continues its caller within the workflow task that called it', async () => {
  await host.deploy(
    processModel(
      'called',
      [startEvent('start'), scriptTask('add', '=1 + 1', 'sum'), endEvent('end')],
      ['a: start -> add', 'b: add -> end'],
    ),
  );
  await host.deploy(
    processModel(
      'caller',
      [
        startEvent('start'),
        '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called"/></bpmn:extensionElements></bpmn:callActivity>',
        endEvent('end'),
      ],
      ['a: start -> call', 'b: call -> end'],
    ),
  );
  const id = await host.start('caller');
  await host.handle(id).result();
  expect(await host.events(id)).toEqual([...firstTask, 'Marker', 'Marker', 'WorkflowCompleted']);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ sum: 2 });
  await host.replay(id);
});

test('a commit that has waited in vain leaves its mark on no row, and the next result is signaled', async () => {
  await host.deploy(chain(1));
  const id = await host.start('chain1');
  await eventually('the end of the wait', async () => {
    const { rows } = await host.store.query(
      'SELECT FROM instances WHERE workflow_id = $1 AND step_count = 1 AND lingering_worker IS NULL',
      [id],
    );
    return rows.length === 1 ? true : undefined;
  });
  await host.completeJob(id, 'work0');
  await host.handle(id).result();
  expect(await host.events(id)).toContain('Signaled');
  await host.replay(id);
});

test('a result that is written while no commit listens to it is brought along by the next one', async () => {
  await host.deploy(chain(2));
  const id = await host.start('chain2');
  const { id: first } = await host.wait(id, 'job', 'work0');
  // Written one after the other before any notification: the second is for a job that the first one's step creates.
  const { command, delivery } = await host.submit(id, { kind: 'COMPLETE_JOB', execution: first });
  await host.submit(id, { kind: 'COMPLETE_JOB', execution: first });
  expect(delivery).toEqual({ worker: expect.any(String) });
  await host.deliver(id, command, delivery);
  expect((await host.outcome(id, command.number + 1)).status).toBe('REJECTED');
  await host.completeJob(id, 'work1');
  await host.handle(id).result();
  await host.replay(id);
});

test('a worker that stops ends its waits first, and another one continues', async () => {
  await host.deploy(chain(3));
  const id = await host.start('chain3');
  await host.completeJob(id, 'work0');
  await host.wait(id, 'job', 'work1');
  await host.stopWorker();
  await host.startWorker();
  await host.completeJob(id, 'work1');
  await host.completeJob(id, 'work2');
  await host.handle(id).result();
  expect((await host.row(id)).status).toBe('COMPLETED');
  await host.replay(id);
});
