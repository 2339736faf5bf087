import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
beforeAll(async () => {
  // Without a cache every workflow task begins from the history, in an isolate that others use in between.
  host = await openTemporalHost({ tuning: { maxCachedWorkflows: 0 } });
  for (const process of ['red', 'blue']) {
    await host.deploy(
      processModel(
        process,
        [
          startEvent('start'),
          scriptTask('mark', `="${process} " + owner`, 'mark'),
          serviceTask('first'),
          scriptTask('add', '=mark + " again"', 'mark'),
          serviceTask('second'),
          endEvent('end'),
        ],
        ['a: start -> mark', 'b: mark -> first', 'c: first -> add', 'd: add -> second', 'e: second -> end'],
      ),
    );
  }
});
afterAll(() => host.close());

test('instances that share an isolate, and graphs within it, do not see one another', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    const id = await host.start(index % 2 ? 'red' : 'blue', { owner: `${index}` });
    await host.wait(id, 'job', 'first');
    ids.push(id);
  }
  for (const id of ids) await host.completeJob(id, 'first');
  for (const id of ids) await host.completeJob(id, 'second');
  for (const [index, id] of ids.entries()) {
    await host.handle(id).result();
    const { variables } = (await host.state(id)).elements[1]!;
    expect(variables).toEqual({ owner: `${index}`, mark: `${index % 2 ? 'red' : 'blue'} ${index} again` });
  }
  for (const id of ids) await host.replay(id);
}, 60_000);
