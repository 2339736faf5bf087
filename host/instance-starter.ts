import type { Logger } from 'pino';
import { messageOf } from '../tracing/message-of.js';
import type { TemporalInstances } from '../worker/temporal-instances.js';
import type { InstanceStarter } from '../workflows/messages.js';

/** Hands rows to Temporal right after their commit. What fails is left to the dispatcher, which finds it in the store. */
export function createInstanceStarter(instances: TemporalInstances, logger: Logger): InstanceStarter {
  async function attempt(workflowID: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.debug({ workflowID, error: messageOf(error) }, 'Temporal was not told at once');
    }
  }
  return {
    start: (instance) => attempt(instance.workflowID, () => instances.start(instance)),
    signal: (workflowID, command) => attempt(workflowID, () => instances.signal(workflowID, command)),
  };
}
