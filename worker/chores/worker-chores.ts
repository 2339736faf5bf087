/** All chores of the role `worker`. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { PublicationType } from '../../store/messages/correlation.js';
import type { Notifications } from '../../store/notifications.js';
import type { TemporalInstances } from '../../temporal/instances.js';
import { erasedWorkflows } from '../erasure/erased-workflows.js';
import { redactions } from '../erasure/redactions.js';
import { outboxRelay } from '../outbox-relay.js';
import { scheduledSuspensions } from '../schedules/scheduled-suspensions.js';
import { schedules } from '../schedules/schedules.js';
import { backtests } from '../backtests/backtests.js';
import { batchRunner } from './batches.js';
import type { Chore } from '../../background/chore.js';
import { cleanup } from './cleanup.js';
import { descendants } from './descendants.js';
import { deletedProjects } from './deleted-projects.js';
import { eventFeed } from './event-feed.js';
import { outdatedDefinitions } from './outdated-definitions.js';
import { historyRetention, type HistoryRetention } from './history-retention.js';
import { loggedChanges } from './logged-changes.js';
import { olderInstances } from './older-instances.js';
import { plannerStatistics } from './planner-statistics.js';
import { statistics } from './statistics.js';
import type { Database } from '../../store/sql/database.js';

export interface WorkerChoresOptions {
  store: Database;
  notifications: Notifications;
  client: Client;
  taskQueue: string;
  instances: TemporalInstances;
  logger: Logger;
  onExpired(type: PublicationType, count: number): void;
  onMissed(count: number): void;
  history: Omit<HistoryRetention, 'store'>;
}

export function workerChores(options: WorkerChoresOptions): Chore[] {
  return [
    ...outboxRelay(options),
    olderInstances(options),
    descendants(options),
    ...schedules(options),
    ...eventFeed(options),
    ...statistics(options),
    batchRunner(options),
    backtests(options),
    scheduledSuspensions(options),
    redactions(options),
    erasedWorkflows(options),
    loggedChanges(options),
    plannerStatistics(options),
    outdatedDefinitions(options),
    ...cleanup(options),
    deletedProjects(options),
    ...historyRetention({ store: options.store, ...options.history }),
  ];
}
