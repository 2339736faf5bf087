import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { GraphCache } from '../../store/definitions/graph-cache.js';
import type { InstanceGateway } from '../../store/instances/start.js';
import type { Notifications } from '../../store/notifications.js';
import type { Database } from '../../store/sql/database.js';
import type { TemporalTasksAllowed } from './configuration.js';

export interface TemporalTasksOptions {
  readonly store: Database;
  readonly hearTasks: Notifications['hearTasks'];
  readonly graphs: GraphCache;
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** The task queue of the instances. */
  readonly taskQueue: string;
  readonly allowed: TemporalTasksAllowed;
  /** Encrypts what the workers of others read; undefined if they do not know our keys. */
  readonly encryption: PayloadCodec | undefined;
  /** The bundle of `runner/`. */
  readonly bundlePath: string;
  readonly logger: Logger;
  /** Notifies an instance that its job has ended. The outbox relay retries. */
  readonly deliver: InstanceGateway['deliver'];
}

/** With the client that starts and describes executions. */
export interface TemporalTasksContext extends TemporalTasksOptions {
  readonly client: Client;
}
