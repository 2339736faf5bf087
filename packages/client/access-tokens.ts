/** Access tokens of a service account, by the OAuth 2.0 client credentials grant (RFC 6749 section 4.4). */
import { ApiError } from './api-error.js';

export interface ServiceAccount {
  tokenEndpoint: string;
  clientID: string;
  clientSecret: string;
}

interface TokenAnswer {
  access_token: string;
  /** Seconds; providers can omit it. */
  expires_in?: number;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/** Used when the provider omits the lifetime. */
const UNSAID_LIFETIME_SECONDS = 300;

/**
 * Returns a function that provides the current token. It requests a token once, caches it, and renews it one minute
 * before it expires (after half its lifetime if that is less than two minutes): not on every call and not after a 401.
 * Concurrent callers share one request; a failed request is not cached.
 *
 * The function throws a `ApiError` when the token endpoint refuses the account, so that callers do not retry
 * indefinitely.
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
    // 307 and 308 would repeat the secret at another address.
    redirect: 'manual',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientID,
      client_secret: clientSecret,
      scope: 'openid profile',
    }),
  });
  if (answer.ok) return (await answer.json()) as TokenAnswer;
  const { status } = answer;
  const failure =
    status >= 300 && status < 400
      ? `The token endpoint ${tokenEndpoint} returned ${status}, a redirect, which is not followed. Configure its final URL for service account ${clientID}`
      : `The token endpoint ${tokenEndpoint} returned ${status} for service account ${clientID}`;
  throw status < 500 ? new ApiError(status, { code: 'UNAUTHORIZED', detail: failure }) : new Error(failure);
}
