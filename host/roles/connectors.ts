/** The role `connectors` of a host. */
import type { Logger } from 'pino';
import { startConnectorsRole, type ConnectorsRole } from '../../connectors/role.js';
import type { OutboundConfiguration } from '../../outbound/configuration.js';
import { createEgress } from '../../outbound/egress/egress.js';
import type { Resources } from '../resources.js';
import { createInstanceStarter } from '../instance-starter.js';

export function openConnectors(
  { egress }: OutboundConfiguration,
  { stores, graphs, instances, lingers, secrets, tracer }: Resources,
  logger: Logger,
): ConnectorsRole {
  const store = stores.background;
  const { deliver } = createInstanceStarter({ instances, store, lingers, logger });
  return startConnectorsRole({ store, graphs, egress: createEgress(egress), secrets, tracer, logger, deliver });
}
