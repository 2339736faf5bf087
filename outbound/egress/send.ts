/**
 * Sends one HTTP request to the addresses that were checked. Redirects are not followed, and connections are not
 * reused: every request is checked again.
 */
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { bareHost, isAddressHost } from './entry.js';
import type { CheckedTarget } from './check.js';
import { OutboundError } from './outbound-error.js';

export interface OutboundRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  readonly connectionTimeoutMilliseconds: number;
  /** From the connection to the end of the response. */
  readonly readTimeoutMilliseconds: number;
  /** The largest body that is accepted. `ignored`: the status is enough, and the connection is closed. */
  readonly answerBody: { readonly maxBytes: number } | 'ignored';
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; repeated ones joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Framing and routing headers; only the host sets them. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws OutboundError; the reason of `signal` if it is aborted */
export async function send(target: CheckedTarget, request: OutboundRequest): Promise<OutboundAnswer> {
  const sent = open(target, request);
  const limit = new TimeLimit(sent, target.url.host);
  try {
    limit.set(request.connectionTimeoutMilliseconds, 'The connection to');
    sent.once('socket', (socket) => {
      const event = target.url.protocol === 'https:' ? 'secureConnect' : 'connect';
      socket.once(event, () => limit.set(request.readTimeoutMilliseconds, 'The answer of'));
    });
    sent.end(request.body);
    return await receive(sent, request.answerBody, target.url.host);
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    throw limit.failure ?? asOutboundError(error, target.url.host);
  } finally {
    limit.clear();
    sent.destroy();
  }
}

function open({ url, addresses }: CheckedTarget, { method, headers, body, signal }: OutboundRequest): ClientRequest {
  const own = Object.keys(headers).find((name) => OWN_HEADERS.has(name.toLowerCase()));
  if (own !== undefined)
    throw new OutboundError('HTTP_REQUEST_INVALID', `The header ${own} is set by the host. Remove it.`);
  const options: RequestOptions = {
    method,
    headers: {
      // A decompressed response could exceed its limit long after it was received.
      'accept-encoding': 'identity',
      ...headers,
      ...(body && { 'content-length': String(body.length) }),
    },
    agent: false,
    lookup: pinned(addresses),
    ...(signal && { signal }),
  };
  try {
    return url.protocol === 'https:'
      ? requestHttps(url, isAddressHost(url.hostname) ? options : { ...options, servername: bareHost(url.hostname) })
      : requestHttp(url, options);
  } catch {
    // Node's message could quote a header.
    throw new OutboundError('HTTP_REQUEST_INVALID', 'The method or a header contains a character that HTTP forbids.');
  }
}

/** Returns the checked addresses for every lookup. */
function pinned(addresses: CheckedTarget['addresses']): LookupFunction {
  return (_host, options, answer) => {
    if (options.all) return answer(null, [...addresses]);
    const [first] = addresses;
    return answer(null, first!.address, first!.family);
  };
}

async function receive(
  sent: ClientRequest,
  wanted: OutboundRequest['answerBody'],
  host: string,
): Promise<OutboundAnswer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
  const chunks: Buffer[] = [];
  const head = { status: answer.statusCode!, headers: headersOf(answer) };
  if (wanted === 'ignored') return { ...head, body: Buffer.alloc(0) };
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > wanted.maxBytes)
      throw new OutboundError(
        'HTTP_ANSWER_TOO_LARGE',
        `The answer of ${host} is larger than ${wanted.maxBytes} bytes.`,
      );
    chunks.push(chunk);
  }
  return { ...head, body: Buffer.concat(chunks) };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
  return Object.fromEntries(entries);
}

/** Aborts the request if its current phase takes too long. */
class TimeLimit {
  failure: OutboundError | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sent: ClientRequest,
    private readonly host: string,
  ) {}

  set(milliseconds: number, what: string): void {
    this.clear();
    this.#timer = setTimeout(() => {
      this.failure = new OutboundError(
        'HTTP_TIMEOUT',
        `${what} ${this.host} took longer than ${milliseconds / 1000} s.`,
      );
      this.sent.destroy(this.failure);
    }, milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function asOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as { code?: string }).code ?? 'unknown';
  return new OutboundError('HTTP_CONNECTION', `The connection to ${host} failed or broke (${code}).`);
}
