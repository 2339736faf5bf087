import { issuerUrl, temporalAddress, uniqueName } from '../infrastructure.js';

/** The variables of a host on the Temporal server and the issuer of the tests; it needs DATABASE_URL besides. */
export async function hostEnvironment(): Promise<NodeJS.ProcessEnv> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    TEMPORAL_ADDRESS: await temporalAddress(),
    TEMPORAL_TASK_QUEUE: uniqueName('host'),
    OIDC_ISSUER: await issuerUrl(),
  };
}
