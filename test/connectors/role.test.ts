import { expect, it } from 'vitest';
import { httpTasks } from '../../connectors/http-tasks.js';
import { startConnectorsRole } from '../../connectors/role.js';
import { createEgress } from '../../outbound/egress/egress.js';
import { createSecrets } from '../../outbound/secrets/secrets.js';
import { GraphCache } from '../../store/definitions/graph-cache.js';
import { noTracer } from '../../telemetry/tracer.js';
import { connectorsReadiness } from '../../host/readiness.js';
import { eventually } from '../support/eventually.js';
import { createDatabase } from '../support/infrastructure.js';
import { silent } from '../support/host-services.js';
import { openDatabase } from '../support/database.js';

it('a connector is not ready while it cannot look for jobs', async () => {
  const database = await createDatabase();
  const store = openDatabase(database.url);
  const tasks = httpTasks({
    store,
    hearTasks: () => () => undefined,
    graphs: new GraphCache(store),
    egress: createEgress([]),
    secrets: createSecrets(undefined),
    tracer: noTracer,
    logger: silent,
    deliver: async () => undefined,
  });
  const role = startConnectorsRole(silent, [tasks]);
  const { check } = connectorsReadiness(role);
  await store.query('ALTER TABLE jobs RENAME TO away');
  const problem = await eventually('the problem', async () => check());
  expect(problem).toBe('HTTP tasks cannot be leased; see the log');
  await store.query('ALTER TABLE away RENAME TO jobs');
  await eventually('the end of the problem', async () => ((await check()) === undefined ? true : undefined));
  await role.stop();
  await store.end();
  await database.drop();
});
