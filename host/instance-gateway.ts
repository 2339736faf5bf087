import type { Logger } from 'pino';
import { wakeCommit } from '../hot-instances/deliver-command.js';
import type { Lingers } from '../hot-instances/lingers.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { toMessage, type TemporalInstances } from '../temporal/instances.js';
import type { InstanceGateway } from '../store/instances/start.js';
import type { Database } from '../store/sql/database.js';

export interface InstanceGatewayOptions {
  instances: TemporalInstances;
  store: Database;
  /** Lingering commits of a workflow worker in this process. */
  lingers?: Lingers | undefined;
  logger: Logger;
}

/**
 * Sends rows to Temporal right after their commit. The outbox relay finds failed ones in the store and sends them
 * again.
 */
export function createInstanceGateway({ instances, store, lingers, logger }: InstanceGatewayOptions): InstanceGateway {
  async function attempt(workflowID: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.debug({ workflowID, error: errorMessage(error) }, 'sending to Temporal failed; the outbox relay retries');
    }
  }
  return {
    start: (instance) => attempt(instance.workflowID, () => instances.start(instance)),
    async deliver(workflowID, command, delivery) {
      if (delivery === 'withEarlier') return;
      if (delivery === 'signal') await attempt(workflowID, () => instances.signal(workflowID, command));
      else wakeCommit({ store, lingers }, delivery.worker, workflowID, toMessage(command));
    },
  };
}
