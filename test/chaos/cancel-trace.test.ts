import { afterAll, beforeAll, expect, it } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from '../temporal/support/temporal-host.js';
import { checkLateCancels } from './cancel-trace.js';
import { Violations } from './violations.js';

let host: TemporalHost;

beforeAll(async () => {
  host = await openTemporalHost({ outboxRelay: false });
  await host.deploy(
    processModel(
      'oneJob',
      [startEvent('start'), serviceTask('work'), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
  );
});
afterAll(() => host.close());

it('the trace of a late cancel shows the events of the caller, the rows, Temporal and faults, with the longest gap first', async () => {
  const workflowID = await host.start('oneJob');
  await host.wait(workflowID, 'job', 'work');
  const asked = Date.now();
  const command = await host.write(workflowID, { kind: 'CANCEL_INSTANCE' });
  await host.instances.signal(workflowID, command);
  const answered = Date.now();
  await host.ended(workflowID);
  await host.handle(workflowID).result();
  const violations = new Violations();
  const faults = [
    { name: 'kill worker-1', began: asked, healed: answered },
    { name: 'kill worker-2', began: 0, healed: 1 },
  ];

  await checkLateCancels(
    [{ title: 'a model', workflowID, asked, answered, ended: asked + 100_000 }],
    { store: host.store, client: host.client, faults },
    violations,
  );

  const [title, longest, ...moments] = violations.found[0]!.found.split('\n');
  expect(title).toBe(`a model: ${workflowID} was canceled after 100000 ms`);
  expect(longest).toMatch(/^ {2}9\d\.\d s between ".+" at +\d+\.\d and "caller: end seen"$/);
  for (const what of [
    'caller: cancel asked for',
    'rows: command 1 CANCEL_INSTANCE written',
    'signal command 1 CANCEL_INSTANCE',
    'task scheduled, attempt 1',
    'task started by test',
    'local activity exchange, attempt 1',
    'rows: instance CANCELED',
    'FAULT kill worker-1',
  ]) {
    expect(
      moments.filter((moment) => moment.includes(what)),
      what,
    ).not.toEqual([]);
  }
  expect(moments.join('\n')).not.toContain('worker-2');
});
