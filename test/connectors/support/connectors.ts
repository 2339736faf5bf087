/** The role `connectors` next to a test host. */
import { agentTasks } from '../../../connectors/agent-tasks.js';
import { httpTasks } from '../../../connectors/http-tasks.js';
import { startConnectorsRole, type Connector, type ConnectorsRole } from '../../../connectors/role.js';
import type { SendingTasksOptions } from '../../../connectors/work.js';
import { createEgress } from '../../../outbound/egress/egress.js';
import { parseEgressEntry } from '../../../outbound/egress/entry.js';
import type { GivenSecrets } from '../../../outbound/secrets/in-environment.js';
import { createSecrets } from '../../../outbound/secrets/secrets.js';
import { GraphCache } from '../../../store/definitions/graph-cache.js';
import { noTracer } from '../../../telemetry/tracer.js';
import type { TestHost } from '../../api/operations/support/host.js';

export function startConnectors(
  host: TestHost,
  {
    allow,
    secrets = {},
    ...more
  }: { allow: string; secrets?: GivenSecrets } & Partial<Omit<SendingTasksOptions, 'secrets'>>,
): ConnectorsRole {
  const { logger } = host.api.context;
  const options = {
    store: host.store,
    hearTasks: host.notifications.hearTasks,
    graphs: new GraphCache(host.store),
    egress: createEgress([parseEgressEntry(allow)!]),
    secrets: createSecrets(undefined, secrets),
    tracer: noTracer,
    logger,
    deliver: host.api.context.instances.deliver,
    ...more,
  };
  return startConnectorsRole(logger, [httpTasks(options), agentTasks(options)].map(eager));
}

/** Looks for work ten times as often as in a host: tests wait for each look. */
export function eager({ chore, ...connector }: Connector): Connector {
  return { ...connector, chore: { ...chore, every: chore.every / 10 } };
}
