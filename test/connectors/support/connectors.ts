/** The role `connectors` next to a test host. */
import { startConnectorsRole, type ConnectorsOptions, type ConnectorsRole } from '../../../connectors/role.js';
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
  }: { allow: string; secrets?: GivenSecrets } & Partial<Omit<ConnectorsOptions, 'secrets'>>,
): ConnectorsRole {
  return startConnectorsRole({
    store: host.store,
    graphs: new GraphCache(host.store),
    egress: createEgress([parseEgressEntry(allow)!]),
    secrets: createSecrets(undefined, secrets),
    tracer: noTracer,
    logger: host.api.context.logger,
    deliver: host.api.context.instances.deliver,
    ...more,
  });
}
