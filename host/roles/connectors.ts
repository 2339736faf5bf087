/** The role `connectors` of a host. */
import type { Logger } from 'pino';
import { agentTasks } from '../../connectors/agent-tasks.js';
import { deliver as deliverEvent } from '../../connectors/events/deliver.js';
import { addDeliveryMetrics } from '../../connectors/events/metrics.js';
import { eventDeliveries } from '../../connectors/events/runner.js';
import { httpTasks } from '../../connectors/http-tasks.js';
import { startConnectorsRole, type ConnectorsRole } from '../../connectors/role.js';
import { temporalTasks } from '../../connectors/temporal/temporal-tasks.js';
import { createEgress } from '../../outbound/egress/egress.js';
import { EncryptionCodec } from '../../temporal/codec.js';
import type { Resources } from '../resources.js';
import { createInstanceGateway } from '../instance-gateway.js';
import type { Settings } from '../settings.js';

export function openConnectors(
  { config, runnerBundle }: Settings,
  { stores, notifications, temporal, graphs, instances, lingers, secrets, metrics, tracer }: Resources,
  logger: Logger,
): ConnectorsRole {
  const store = stores.background;
  const { hearTasks } = notifications;
  const { deliver } = createInstanceGateway({ instances, store, lingers, logger });
  const { namespace, taskQueue, payloadKeys } = config.temporal;
  const egress = createEgress(config.outbound.egress);
  const sending = { store, hearTasks, graphs, egress, secrets, tracer, logger, deliver };
  return startConnectorsRole(logger, [
    httpTasks(sending),
    agentTasks(sending),
    temporalTasks({
      store,
      hearTasks,
      graphs,
      connection: temporal.connection,
      namespace,
      taskQueue,
      allowed: config.temporalTasks.allowed,
      encryption: config.temporalTasks.sharesKeys && payloadKeys ? new EncryptionCodec(payloadKeys) : undefined,
      bundlePath: runnerBundle,
      logger,
      deliver,
    }),
    eventDeliveries({
      store,
      logger,
      count: addDeliveryMetrics(metrics.registry),
      send: (projectID, receiver, event) => deliverEvent({ egress, secrets, logger }, projectID, receiver, event),
    }),
  ]);
}
