import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { processModel, serviceTask } from '../hosts/model.js';
import { endpointOf, openTcpProxy, type TcpProxy } from './support/tcp-proxy.js';
import { eventually, openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let proxy: TcpProxy;

beforeAll(async () => {
  const { maintenanceUrl } = (await (await fetch(`${inject('stackUrl')}/postgres`)).json()) as { maintenanceUrl: string };
  proxy = await openTcpProxy(endpointOf(maintenanceUrl));
  host = await openTemporalHost({
    databaseUrlOfWorker(url) {
      const throughProxy = new URL(url);
      throughProxy.host = proxy.address;
      return throughProxy.href;
    },
  });
  await host.deploy(processModel('oneJob', `<bpmn:startEvent id="start"/>${serviceTask('work')}<bpmn:endEvent id="end"/>`, 'a: start -> work\nb: work -> end'));
});
afterAll(async () => {
  await host.close();
  await proxy.close();
});

test('while Postgres is away an instance waits, and goes on when it is back', async () => {
  const id = await host.start('oneJob');
  const { id: job } = await host.wait(id, 'job', 'work');
  const command = await host.write(id, { kind: 'COMPLETE_JOB', execution: job, variables: { done: true } });
  proxy.cut();
  await host.instances.signal(id, command);
  await eventually('a lasting activity', async () => ((await host.events(id)).includes('ActivityScheduled') ? true : undefined));
  proxy.restore();
  await host.handle(id).result();
  expect((await host.row(id)).status).toBe('COMPLETED');
  expect((await host.state(id)).elements[1]!.variables).toEqual({ done: true });
}, 90_000);
