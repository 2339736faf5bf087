/** Messages of instances for which their project has no room. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, on, processModel, receiveTask, root, sequenceModel, startEvent } from '@perdure/testkit/models';
import { MAX_KEPT_MESSAGES } from '../../../../store/messages/messages.js';
import { eventually } from '../../../support/eventually.js';
import { project, startTestHost, type TestHost } from '../support/host.js';
import { deploy, start, untilStatus } from '../support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const throwing = (id: string, name: string) =>
  processModel(id, [startEvent('start'), endEvent('tell', on.message(name))], ['f: start -> tell'], root.message(name));

const fill = () =>
  host.store.query(
    `INSERT INTO publications (project_id, type, name, channel, keys, variables, published_by, expires_at)
     SELECT $1, 'message', 'filler', 'filler', ARRAY['filler'], '{}', 'eda', now() + interval '1 hour' FROM generate_series(1, ${MAX_KEPT_MESSAGES})`,
    [project],
  );

test('an incident of the node that publishes, resolved by trying again, and no subscriber that waits is left out', async () => {
  const telling = await deploy(host, throwing('telling', 'news'));
  const heard = await deploy(host, throwing('heard', 'awaited'));
  const waiting = await start(
    host,
    await deploy(host, sequenceModel('waiting', [receiveTask('wait', 'awaited')], root.message('awaited'))),
  );
  const subscriptions = () => host.call('viewer', 'GET', `/bpmn/subscriptions?workflowID=${waiting}`);
  await eventually(subscriptions, ({ body }) => body.data.length === 1);
  await start(host, telling);
  await fill();

  const workflowID = await start(host, telling);
  const path = `/bpmn/instances/${workflowID}`;
  const look = () => host.call('viewer', 'GET', `${path}/incidents`);
  const { body } = await eventually(look, ({ body: page }) => page.data.length === 1);
  expect(body.data[0]).toMatchObject({
    nodeID: 'tell',
    errorType: 'SubscriptionError',
    errorCode: 'MESSAGE_LIMIT',
    errorMessage: expect.stringContaining(`keeps ${MAX_KEPT_MESSAGES} messages`),
  });
  await untilStatus(host, await start(host, heard), 'COMPLETED');
  await untilStatus(host, waiting, 'COMPLETED');

  const { incidentID } = body.data[0];
  const resolve = (id: string) =>
    host.call('editor', 'POST', `${path}/incidents/${id}/resolve`, { json: { reason: 'again' } });
  await resolve(incidentID);
  const openAgain = ({ data }: { data: { incidentID: string; resolvedAt?: string }[] }) =>
    data.find((one) => one.incidentID !== incidentID && one.resolvedAt === undefined);
  const again = await eventually(look, ({ body: page }) => openAgain(page) !== undefined);
  await host.store.query("DELETE FROM publications WHERE name = 'filler'");
  await resolve(openAgain(again.body)!.incidentID);
  await untilStatus(host, workflowID, 'COMPLETED');
  const kept = await host.call('viewer', 'GET', '/bpmn/publications?name=news&state=KEPT');
  expect(kept.body.data).toHaveLength(2);
  await host.replayLongest(5);
});
