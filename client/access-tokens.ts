/** Access tokens of a service account, by the OAuth 2.0 client credentials grant (RFC 6749 section 4.4). */
import { RefusedCall } from './refused-call.js';

export interface ServiceAccount {
  tokenEndpoint: string;
  clientID: string;
  clientSecret: string;
}

interface TokenAnswer {
  access_token: string;
  /** Seconds; providers may leave it out. */
  expires_in?: number;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/** Assumed where the provider does not say. */
const UNSAID_LIFETIME_SECONDS = 300;

/**
 * A function that gives the current token. A token is asked for once, kept, and asked for again one minute before it
 * expires (after half its life when it lives less than two minutes): not on every call and not after a 401. Callers at
 * the same time share one request; a request that failed is not kept.
 *
 * The function throws a `RefusedCall` when the token endpoint refuses the account, so that nobody tries for ever.
 */
export function accessTokens(account: ServiceAccount): () => Promise<string> {
  let current: Promise<string> | undefined;
  let refreshAt = 0;
  return () => {
    if (current && Date.now() < refreshAt) return current;
    refreshAt = Number.POSITIVE_INFINITY;
    current = requestToken(account).then(
      ({ access_token: token, expires_in: seconds = UNSAID_LIFETIME_SECONDS }) => {
        const lifetime = seconds * 1000;
        refreshAt = Date.now() + Math.max(lifetime - REFRESH_BEFORE_EXPIRY_MS, lifetime / 2);
        return token;
      },
      (error: unknown) => {
        current = undefined;
        throw error;
      },
    );
    return current;
  };
}

async function requestToken({ tokenEndpoint, clientID, clientSecret }: ServiceAccount): Promise<TokenAnswer> {
  const answer = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientID, client_secret: clientSecret, scope: 'openid profile' }),
  });
  if (answer.ok) return (await answer.json()) as TokenAnswer;
  const failure = `The token endpoint ${tokenEndpoint} answered ${answer.status} to the service account ${clientID}`;
  throw answer.status < 500 ? new RefusedCall(answer.status, { code: 'UNAUTHORIZED', detail: failure }) : new Error(failure);
}
