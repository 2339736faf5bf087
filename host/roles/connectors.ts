/** The role `connectors` of a host. */
import type { Logger } from 'pino';
import { deliver as deliverEvent } from '../../connectors/events/deliver.js';
import { addDeliveryMetrics } from '../../connectors/events/metrics.js';
import { eventDeliveries } from '../../connectors/events/runner.js';
import { httpTasks } from '../../connectors/http-tasks.js';
import { startConnectorsRole, type ConnectorsRole } from '../../connectors/role.js';
import type { OutboundConfiguration } from '../../outbound/configuration.js';
import { createEgress } from '../../outbound/egress/egress.js';
import type { Resources } from '../resources.js';
import { createInstanceGateway } from '../instance-gateway.js';

export function openConnectors(
  { egress: entries }: OutboundConfiguration,
  { stores, graphs, instances, lingers, secrets, metrics, tracer }: Resources,
  logger: Logger,
): ConnectorsRole {
  const store = stores.background;
  const { deliver } = createInstanceGateway({ instances, store, lingers, logger });
  const egress = createEgress(entries);
  return startConnectorsRole(logger, [
    httpTasks({ store, graphs, egress, secrets, tracer, logger, deliver }),
    eventDeliveries({
      store,
      logger,
      count: addDeliveryMetrics(metrics.registry),
      send: (projectID, receiver, event) => deliverEvent({ egress, secrets, logger }, projectID, receiver, event),
    }),
  ]);
}
