/** The Nexus service of the role `worker`. */
import type { Logger } from 'pino';
import { createAuthenticator } from '../../api/access/authenticator.js';
import { createMemberships } from '../../api/membership/memberships.js';
import { createNexusCalls } from '../../api/nexus/calls.js';
import { createNexusService, type NexusService } from '../../connectors/nexus/nexus-service.js';
import { EncryptionCodec } from '../../temporal/codec.js';
import type { Resources } from '../resources.js';
import type { Settings } from '../settings.js';
import { createApiContext } from './api-context.js';

export function createNexus({ config, runnerBundle }: Settings, resources: Resources, logger: Logger): NexusService {
  const { served, sharesKeys } = config.temporalTasks;
  // Its callers have no tokens, and it administers no members.
  const authenticator = createAuthenticator({ issuers: [], projectAliases: new Map() }, logger);
  const context = createApiContext(config, resources, logger, {
    authenticator,
    memberships: createMemberships([]),
    readiness: [],
  });
  const { namespace, taskQueue, payloadKeys } = config.temporal;
  const { connection, client } = resources.temporal;
  return createNexusService({
    store: resources.stores.background,
    client,
    connection,
    namespace,
    taskQueue,
    served,
    encryption: sharesKeys && payloadKeys ? new EncryptionCodec(payloadKeys) : undefined,
    bundlePath: runnerBundle,
    logger,
    call: createNexusCalls(context, config.api),
  });
}
