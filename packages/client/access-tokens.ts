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

interface Token {
  value: string;
  renewAt: number;
  /** From then on, calls wait for the next token. */
  unusableAt: number;
}

const REFRESH_BEFORE_EXPIRY_MS = 60_000;
/** A call takes time until the host checks its token. Less for tokens that live less than 100 seconds. */
const UNUSABLE_BEFORE_EXPIRY_MS = 10_000;
/** Used when the provider omits the lifetime. */
const UNSAID_LIFETIME_SECONDS = 300;
/** From the request to the end of its answer. */
const TOKEN_TIMEOUT_MS = 10_000;
/** Far more than a token that fits into a header. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** The pause after a renewal that failed while the token is still good. */
const RENEWAL_PAUSE_MS = 5_000;

/**
 * Returns a function that provides the current token. It requests a token once, caches it, and renews it one minute
 * before it expires (after half its lifetime if that is less than two minutes): not on every call and not after a 401.
 * During a renewal, callers get the token that they had, until ten seconds before it expires (a tenth of its lifetime if
 * that is less). Concurrent callers share one request; a failed request is not cached.
 *
 * A request ends after ten seconds, or at an answer of more than 256 KiB. The function throws an `ApiError` when the
 * token endpoint refuses the account, so that callers do not retry indefinitely.
 */
export function accessTokens(account: ServiceAccount): () => Promise<string> {
  let current: Token | undefined;
  let renewal: Promise<string> | undefined;
  const renew = () =>
    (renewal ??= requestToken(account)
      .then((token) => {
        current = token;
        return token.value;
      })
      .finally(() => (renewal = undefined)));
  return async () => {
    const now = Date.now();
    const usable = current !== undefined && now < current.unusableAt ? current : undefined;
    if (usable === undefined) return renew();
    if (now >= usable.renewAt) renew().catch(() => (usable.renewAt = Date.now() + RENEWAL_PAUSE_MS));
    return usable.value;
  };
}

async function requestToken(account: ServiceAccount): Promise<Token> {
  // The lifetime begins before the answer arrives.
  const askedAt = Date.now();
  const { access_token: value, expires_in: seconds = UNSAID_LIFETIME_SECONDS } = await askForToken(account);
  const lifetime = seconds * 1000;
  return {
    value,
    renewAt: askedAt + Math.max(lifetime - REFRESH_BEFORE_EXPIRY_MS, lifetime / 2),
    unusableAt: askedAt + lifetime - Math.min(UNUSABLE_BEFORE_EXPIRY_MS, lifetime / 10),
  };
}

async function askForToken({ tokenEndpoint, clientID, clientSecret }: ServiceAccount): Promise<TokenAnswer> {
  const limit = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
  const request = {
    method: 'POST',
    // 307 and 308 would repeat the secret at another address.
    redirect: 'manual',
    signal: limit,
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientID,
      client_secret: clientSecret,
      scope: 'openid profile',
    }),
  } as const;
  try {
    const answer = await fetch(tokenEndpoint, request);
    if (answer.ok) return JSON.parse(await readText(answer, tokenEndpoint)) as TokenAnswer;
    await answer.body?.cancel();
    throw failureOf(answer.status, { tokenEndpoint, clientID });
  } catch (error) {
    if (!limit.aborted) throw error;
    const seconds = TOKEN_TIMEOUT_MS / 1000;
    throw new Error(`The token endpoint ${tokenEndpoint} did not answer within ${seconds} seconds`, { cause: error });
  }
}

function failureOf(status: number, { tokenEndpoint, clientID }: Omit<ServiceAccount, 'clientSecret'>): Error {
  const failure =
    status >= 300 && status < 400
      ? `The token endpoint ${tokenEndpoint} returned ${status}, a redirect, which is not followed. Configure its final URL for service account ${clientID}`
      : `The token endpoint ${tokenEndpoint} returned ${status} for service account ${clientID}`;
  return status < 500 ? new ApiError(status, { code: 'UNAUTHORIZED', detail: failure }) : new Error(failure);
}

async function readText(answer: Response, tokenEndpoint: string): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw new Error(`The token endpoint ${tokenEndpoint} answered with more than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
