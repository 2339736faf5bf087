/** Access tokens of a service account, by the OAuth 2.0 client credentials grant (RFC 6749 section 4.4). */

export interface ServiceAccount {
  tokenEndpoint: string;
  clientID: string;
  clientSecret: string;
}

interface TokenAnswer {
  access_token: string;
  /** Seconds. */
  expires_in: number;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;

/**
 * A function that gives the current token. A token is asked for once, kept, and asked for again one minute before it
 * expires: not on every call and not after a 401. Callers at the same time share one request.
 */
export function accessTokens(account: ServiceAccount): () => Promise<string> {
  let current: Promise<string> | undefined;
  let refreshAt = 0;
  return () => {
    if (current && Date.now() < refreshAt) return current;
    refreshAt = Number.POSITIVE_INFINITY;
    current = requestToken(account).then(
      ({ access_token: token, expires_in: seconds }) => {
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
  if (!answer.ok) throw new Error(`The token endpoint ${tokenEndpoint} answered ${answer.status} to service account ${clientID}`);
  return (await answer.json()) as TokenAnswer;
}
