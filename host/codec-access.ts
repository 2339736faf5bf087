/** Access to the codec server: its rights, its limits, and the record of each use. */
import type { Logger } from 'pino';
import type { Authentication, Authenticator } from '../api/access/authenticator.js';
import { createTokenBuckets, type RateLimit, type TokenBuckets } from '../api/http/rate-limits.js';
import { networkOf } from '../api/http/request/client-address.js';
import { problemCodes } from '../api/contract/problem.js';
import type { ApiMetrics } from '../telemetry/metrics.js';

export interface CodecAccessOptions {
  authenticator: Authenticator;
  logger: Logger;
  metrics: Pick<ApiMetrics, 'requestSeconds' | 'denials'>;
  /** Of a caller, and of a network without a valid token. */
  requestRate: RateLimit;
}

/** One request. Payloads name no project, so the record of a request is a line of the log of the host. */
export interface CodecRequest {
  readonly operation: 'DecodePayloads' | 'EncodePayloads';
  readonly authorization: string;
  /** As the Temporal UI names it. */
  readonly namespace: string | undefined;
  readonly clientAddress: string;
}

/** Counted, never shown: no line has the content of a payload. */
export interface Converted {
  readonly status: number;
  readonly payloads: number;
  readonly bytes: number;
  /** Ids of the keys that encrypted them. */
  readonly keyIDs: readonly string[];
}

interface Refusal {
  readonly status: 401 | 404 | 429 | 503;
  readonly code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'TOO_MANY_REQUESTS' | 'UNAVAILABLE';
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

function refusal(code: Refusal['code'], headers: Refusal['headers'] = {}): Refusal {
  const { status, title } = problemCodes[code];
  return { status, code, error: title, headers };
}

const MAX_KEY_IDS = 10;
const MAX_NAME_LENGTH = 255;

export class CodecAccess {
  readonly #options: CodecAccessOptions;
  readonly #requests: TokenBuckets;

  constructor(options: CodecAccessOptions) {
    this.#options = options;
    this.#requests = createTokenBuckets(options.requestRate, () => performance.now());
  }

  /** Decides about a request and logs a refusal. An accepted request is logged by `record`. */
  async enter(request: CodecRequest): Promise<Refusal | { readonly record: (converted: Converted) => void }> {
    const startedAt = performance.now();
    const authentication = await this.#options.authenticator.authenticate(request.authorization);
    const refused = this.#refusalOf(authentication, request);
    if (refused === undefined)
      return { record: (converted) => this.#log(request, authentication, converted, startedAt) };
    this.#log(request, authentication, refused, startedAt);
    return refused;
  }

  /** Undefined for a system admin. */
  #refusalOf(authentication: Authentication, { clientAddress }: CodecRequest): Refusal | undefined {
    const key =
      authentication.kind === 'accepted'
        ? `caller ${authentication.caller.issuer} ${authentication.caller.subject}`
        : `address ${networkOf(clientAddress)}`;
    const seconds = this.#requests.take(key);
    if (seconds !== undefined) return refusal('TOO_MANY_REQUESTS', { 'Retry-After': String(seconds) });
    if (authentication.kind === 'unavailable') return refusal('UNAVAILABLE', { 'Retry-After': '5' });
    if (authentication.kind === 'refused') return refusal('UNAUTHORIZED', { 'WWW-Authenticate': 'Bearer' });
    return authentication.caller.systemAdmin ? undefined : refusal('NOT_FOUND');
  }

  #log(
    { operation, namespace, clientAddress }: CodecRequest,
    authentication: Authentication,
    outcome: Refusal | Converted,
    startedAt: number,
  ): void {
    const { logger, metrics } = this.#options;
    const { status } = outcome;
    metrics.requestSeconds.observe({ operation, method: 'POST', status }, (performance.now() - startedAt) / 1000);
    const caller = authentication.kind === 'accepted' ? authentication.caller : undefined;
    const isRefused = 'code' in outcome;
    if (isRefused && status < 500) metrics.denials.inc({ code: outcome.code });
    logger.info({
      event: isRefused ? 'denied' : 'payloads-converted',
      operation,
      status,
      subject: caller?.subject,
      issuer: caller?.issuer,
      namespace: namespace?.slice(0, MAX_NAME_LENGTH),
      clientAddress,
      ...(isRefused
        ? { code: outcome.code, reason: authentication.kind === 'accepted' ? outcome.error : authentication.reason }
        : {
            payloads: outcome.payloads,
            bytes: outcome.bytes,
            keyIDs: outcome.keyIDs.slice(0, MAX_KEY_IDS).map((id) => id.slice(0, MAX_NAME_LENGTH)),
          }),
    });
  }
}
