/** The dependencies of operations, for whichever role serves them. */
import type { Logger } from 'pino';
import { defaultTurnLimits, FairTurns } from '@perdure/lib/fair-turns.js';
import { DeletedProjects } from '../../api/access/deleted-projects.js';
import type { ApiContext } from '../../api/context.js';
import { DecisionModels } from '../../api/operations/dmn/shared/models.js';
import { RecentStatistics } from '../../api/operations/statistics/shared/recent.js';
import { createEgress } from '../../outbound/egress/egress.js';
import { deletedProjectIDs } from '../../store/projects/projects.js';
import { createLogger } from '../../telemetry/logger.js';
import { readBuildInformation } from '../build-information.js';
import type { Config } from '../configuration/config.js';
import { createInstanceGateway } from '../instance-gateway.js';
import type { Resources } from '../resources.js';

/** @param access how callers are known, and what `/ready` says */
export function createApiContext(
  config: Config,
  { store, notifications, instances, secrets, lingers, metrics, tracer }: Resources,
  hostLogger: Logger,
  access: Pick<ApiContext, 'authenticator' | 'memberships' | 'readiness'>,
): ApiContext {
  return {
    ...access,
    store,
    storeOf: (caller) => store.of(caller),
    deletedProjects: new DeletedProjects({ read: () => deletedProjectIDs(store) }),
    statistics: new RecentStatistics(store),
    decisionModels: new DecisionModels(),
    notifications,
    instances: createInstanceGateway({ instances, store, lingers, logger: hostLogger }),
    lingers,
    secrets,
    egress: createEgress(config.outbound.egress),
    auditRetentionMinimum: config.auditRetentionMinimumMilliseconds,
    corsOrigins: config.api.corsOrigins,
    turns: new FairTurns({ ...defaultTurnLimits, millisecondsPerMinute: config.api.threadSecondsPerMinute * 1000 }),
    logger: createLogger(config.logLevel),
    metrics,
    tracer,
    build: readBuildInformation(),
  };
}
