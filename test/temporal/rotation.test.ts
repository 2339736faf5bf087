import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { boundaryEvent, endEvent, on, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import type { TimerWait } from '@perdure/engine/state/state.js';
import { eventually } from '../support/eventually.js';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { runsOf } from '../chaos/histories.js';

let server: RotatingServer;
let host: TemporalHost;
/** An instance that is canceled in Temporal in the moment in which it rotates. */
let canceledAtRotation: string | undefined;

function cancelingAtRotations(activities: Activities): Activities {
  return {
    ...activities,
    async exchange(asked) {
      if (asked.kind === 'commit' && asked.commit.inputs.rotate && asked.commit.workflowID === canceledAtRotation) {
        canceledAtRotation = undefined;
        await host.handle(asked.commit.workflowID).cancel();
      }
      return activities.exchange(asked);
    },
  };
}

beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, maxRotations: 100, wrap: cancelingAtRotations });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

test('an instance continues in new runs and keeps its variables, its place and its search attributes', async () => {
  await host.deploy(jobLoop);
  const id = await host.start('jobLoop', { rounds: 12 }, { businessID: 'kept' });
  for (let round = 0; round < 12; round += 1) await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
  expect((await host.state(id)).elements[1]!.variables).toMatchObject({ done: 12 });
  expect(await host.rotations(id)).toBeGreaterThanOrEqual(2);
  const description = await host.handle(id).describe();
  expect(description.searchAttributes).toMatchObject({ BpmnBusinessId: ['kept'], BpmnProcess: ['jobLoop'] });
}, 60_000);

test('a cycle of a boundary event follows the clock of its zone across rotations', async () => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const clock = (instant: number) => format.format(instant).replace(' ', 'T');
  // Neither a day nor an hour that the zone skips or repeats. All ticks are fired by hand.
  const start = `${new Date().getUTCFullYear() + 1}-01-15T12:00:00`;
  await host.deploy(
    processModel(
      'zonedCycle',
      [
        startEvent('start'),
        serviceTask('work'),
        boundaryEvent('tick', 'work', on.cycle(`R14/${start}[Europe/Berlin]/P1M`), { interrupting: false }),
        endEvent('end'),
        endEvent('ticked'),
      ],
      ['a: start -> work', 'b: work -> end', 'c: tick -> ticked'],
    ),
  );
  const id = await host.start('zonedCycle', {});
  const timerOf = (tick: number) =>
    eventually(`tick ${tick}`, async () => {
      const waits = Object.values((await host.state(id)).waits);
      return waits.find((wait) => wait.kind === 'timer' && wait.calendar?.tick === tick) as TimerWait | undefined;
    });
  const dues: number[] = [];
  for (let tick = 0; tick < 14; tick += 1) {
    const timer = await timerOf(tick);
    dues.push(timer.due);
    await host.command(id, { kind: 'FIRE_TIMER', timer: timer.id, node: 'tick' });
  }
  expect(new Set(dues.map((due) => clock(due).slice(11)))).toEqual(new Set([start.slice(11)]));
  expect(new Set(dues.map((due) => new Date(due).getUTCHours())).size).toBe(2);
  expect(await host.rotations(id)).toBeGreaterThanOrEqual(1);
  expect(Object.values((await host.state(id)).waits).map(({ kind }) => kind)).toEqual(['job']);
  await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
}, 60_000);

test('a burst of commands across rotations is handled once each and in order', async () => {
  await host.deploy(jobLoop);
  const id = await host.start('jobLoop', { rounds: 1 });
  await host.wait(id, 'job', 'work');
  const commands = [];
  for (let index = 1; index <= 60; index += 1)
    commands.push(await host.write(id, { kind: 'SET_VARIABLES', variables: { last: index } }));
  for (let first = 0; first < 60; first += 6) {
    await Promise.all(commands.slice(first, first + 6).map((command) => host.instances.signal(id, command)));
    await host.outcome(id, first + 6);
  }
  await host.completeJob(id, 'work');
  await host.ended(id);
  const { rows } = await host.store.query<{ facts: { kind: string; number?: number }[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1 ORDER BY number',
    [id],
  );
  const handled = rows.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'COMMAND_HANDLED');
  expect(handled.map(({ number }) => number)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1));
  expect((await host.state(id)).elements[1]!.variables).toMatchObject({ last: 60, done: 1 });
}, 60_000);

test('a workflow task that continues in a new run reports nothing but the rotation', async () => {
  await host.deploy(jobLoop);
  const id = await host.start('jobLoop', { rounds: 12 });
  for (let round = 0; round < 12; round += 1) await host.completeJob(id, 'work');
  await host.ended(id);
  const markers: number[] = [];
  for await (const { events } of runsOf(host.client, id)) {
    const task = events!.at(-1)!.workflowExecutionContinuedAsNewEventAttributes?.workflowTaskCompletedEventId;
    if (task === undefined) continue;
    const reported = events!.filter(({ markerRecordedEventAttributes: marker }) =>
      marker?.workflowTaskCompletedEventId?.equals(task!),
    );
    markers.push(reported.length);
  }
  expect(markers.length).toBeGreaterThanOrEqual(2);
  expect(new Set(markers)).toEqual(new Set([1]));
}, 60_000);

test('a timer that was set before a rotation fires at its time', async () => {
  const timer =
    '<bpmn:boundaryEvent id="late" attachedToRef="guarded"><bpmn:timerEventDefinition><bpmn:timeDuration>PT4S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
  await host.deploy(
    processModel(
      'guardedJob',
      [startEvent('start'), serviceTask('guarded'), timer, endEvent('end'), endEvent('lateEnd')],
      ['a: start -> guarded', 'b: guarded -> end', 'c: late -> lateEnd'],
    ),
  );
  const id = await host.start('guardedJob');
  const wait = await host.wait(id, 'timer', 'late');
  for (let index = 0; index < 6; index += 1) await host.command(id, { kind: 'SET_VARIABLES', variables: { index } });
  await host.ended(id);
  expect(await host.rotations(id)).toBeGreaterThanOrEqual(1);
  const { rows } = await host.store.query<{ now: string }>(
    "SELECT inputs ->> 'now' AS now FROM steps WHERE workflow_id = $1 AND facts::text LIKE '%TIMER_FIRED%'",
    [id],
  );
  expect(wait.kind === 'timer' && Number(rows[0]!.now) >= wait.due).toBe(true);
}, 60_000);

test('a cancellation asked for in Temporal while an instance continues in a new run is not lost', async () => {
  await host.deploy(jobLoop);
  const id = await host.start('jobLoop', { rounds: 100 });
  canceledAtRotation = id;
  for (let round = 0; round < 100 && canceledAtRotation !== undefined; round += 1) await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('CANCELED');
}, 60_000);
