/** Refuses a connection with an answer, before anything of it is read. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { problem, problemCodes, problemDocument, type Problem } from '../contract/problem.js';
import { securityHeaders } from '../http/request/headers.js';
import type { Exhausted } from './connection-shares.js';

const RETRY_AFTER_SECONDS = '5';

/** Closing at once would reset a connection whose request is not read, and its client would lose the answer. */
const LINGER_MS = 1_000;
/** Refused connections that linger at once; further ones are reset. */
export const MAX_LINGERING = 64;

const problems: Readonly<Record<Exhausted, () => Problem>> = {
  total: () =>
    problem('UNAVAILABLE', 'All connections of this host are in use', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    }),
  address: () => tooMany('Limit reached: too many connections from this address'),
  network: () => tooMany('Limit reached: too many connections from this network'),
};

function tooMany(message: string): Problem {
  return problem('TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

export class ConnectionRefusals {
  #lingering = 0;

  refuse(socket: Socket, reason: Exhausted): void {
    socket.on('error', () => undefined);
    if (this.#lingering >= MAX_LINGERING) {
      socket.resetAndDestroy();
      return;
    }
    this.#lingering += 1;
    const timer = setTimeout(() => socket.resetAndDestroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#lingering -= 1;
    });
    socket.resume().end(answerOf(problems[reason]()));
  }
}

function answerOf(refusal: Problem): string {
  const { status, title } = problemCodes[refusal.code];
  const requestID = randomUUID();
  const body = JSON.stringify(problemDocument(refusal, requestID));
  const headers = {
    ...securityHeaders,
    ...refusal.headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestID,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n');
}
