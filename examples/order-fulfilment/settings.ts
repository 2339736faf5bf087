/** Where the host is and who we are there, from the environment; the defaults are those of `npm start`. */
import { accessTokens } from './access-token.js';
import { RestClient } from './rest-client.js';

/** A client with the rights of a service account of the development issuer, or of your own. */
export function clientFor(role: 'executor' | 'editor'): RestClient {
  const { PERDURE_API = 'http://127.0.0.1:8080', PERDURE_PROJECT = 'demo', TOKEN_ENDPOINT, CLIENT_ID = role, CLIENT_SECRET = `dev-${role}` } = process.env;
  if (!TOKEN_ENDPOINT) throw new Error('TOKEN_ENDPOINT is not set; the host prints it as tokenEndpoint in its READY line');
  return new RestClient({
    api: PERDURE_API,
    project: PERDURE_PROJECT,
    accessToken: accessTokens({ tokenEndpoint: TOKEN_ENDPOINT, clientID: CLIENT_ID, clientSecret: CLIENT_SECRET }),
  });
}
