/** Address of the host and account to use, from the environment; defaults match `npm start`. */
import { accessTokens, createClient, type PerdureClient } from '@perdure/client';

/** A project of the host, with a client that may call it. */
export interface Shop {
  client: PerdureClient;
  projectID: string;
}

/** A client with the rights of a service account of the development issuer, or of another provider. */
export function shopFor(role: 'executor' | 'editor'): Shop {
  const {
    PERDURE_API: api = 'http://127.0.0.1:8080',
    PERDURE_PROJECT: projectID = 'demo',
    PERDURE_TOKEN_ENDPOINT,
    PERDURE_CLIENT_ID = role,
    PERDURE_CLIENT_SECRET = `dev-${role}`,
  } = process.env;
  if (!PERDURE_TOKEN_ENDPOINT)
    throw new Error('PERDURE_TOKEN_ENDPOINT is not set; the host prints it as tokenEndpoint in its READY line');
  const accessToken = accessTokens({
    tokenEndpoint: PERDURE_TOKEN_ENDPOINT,
    clientID: PERDURE_CLIENT_ID,
    clientSecret: PERDURE_CLIENT_SECRET,
  });
  return { client: createClient({ api, accessToken }), projectID };
}
