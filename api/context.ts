import type { Logger } from 'pino';
import type { Egress } from '../outbound/egress/egress.js';
import type { Secrets } from '../outbound/secrets/secret.js';
import type { FairTurns } from '@perdure/lib/fair-turns.js';
import type { Lingers } from '../hot-instances/lingers.js';
import type { Notifications } from '../store/notifications.js';
import type { Tracer } from '../telemetry/tracer.js';
import type { InstanceGateway } from '../store/instances/start.js';
import type { DecisionModels } from './operations/dmn/shared/models.js';
import type { RecentStatistics } from './operations/statistics/shared/recent.js';
import type { DeletedProjects } from './access/deleted-projects.js';
import type { Authenticator } from './access/authenticator.js';
import type { Memberships } from './membership/memberships.js';
import type { ApiMetrics } from '../telemetry/metrics.js';
import type { ReadinessCheck } from './contract/readiness.js';
import type { Database } from '../store/sql/database.js';

/** The running build. `npm run build` writes it; an unbuilt checkout knows only the version. */
export interface BuildInformation {
  readonly version: string;
  readonly buildTime: string | undefined;
  readonly commit: string | undefined;
}

/** The waiting that operations can do. */
export type Waiting = Pick<
  Notifications,
  'awaitMatch' | 'awaitOutcome' | 'awaitResult' | 'pollJobs' | 'readEvents' | 'isClosed'
>;

/**
 * The dependencies of operations. Built once per process and passed to every handler, so a test can run the whole API
 * on any store. Other parts of the API add a member here to extend it.
 */
export interface ApiContext {
  /** For statements and transactions of the request. */
  readonly store: Database;
  /** The store of one caller: callers take turns at the connections, so one with many requests delays mainly itself. */
  storeOf(caller: string): Database;
  /** Their requests get 404. */
  readonly deletedProjects: DeletedProjects;
  /** The numbers of projects that clients have asked for lately. */
  readonly statistics: RecentStatistics;
  /** Of stored decision definitions, which never change. */
  readonly decisionModels: DecisionModels;
  /** Wakes requests that wait for an outcome or a job. */
  readonly notifications: Waiting;
  /** Starts and signals workflows in Temporal. */
  readonly instances: InstanceGateway;
  /** Step commits of this process that take job results from memory; undefined without a workflow worker. */
  readonly lingers: Pick<Lingers, 'handOver'> | undefined;
  readonly authenticator: Authenticator;
  /** Project members, as the identity providers know them. */
  readonly memberships: Memberships;
  /** Their names and hosts; no operation returns a value. */
  readonly secrets: Secrets;
  /** Checks the URLs that callers save; the API itself sends nothing there. */
  readonly egress: Pick<Egress, 'permit'>;
  /** The shortest `auditRetention` that a project can have, in milliseconds. */
  readonly auditRetentionMinimum: number;
  /** Pages of these origins may call the API. */
  readonly corsOrigins: ReadonlySet<string>;
  /** The scheduler of all work in threads that a request causes. */
  readonly turns: FairTurns;
  readonly logger: Logger;
  readonly metrics: ApiMetrics;
  readonly tracer: Tracer;
  /** The checks of `/ready`, in the order in which it reports them. */
  readonly readiness: readonly ReadinessCheck[];
  readonly build: BuildInformation;
}
