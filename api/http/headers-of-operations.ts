import type { KeyedRequest } from '../../store/projects/idempotency.js';
import type { Exchange } from './exchange.js';
import { requestFingerprint } from '../commands/idempotency.js';
import type { AcceptedHeader } from '../contract/operation.js';
import type { Operation, RequestHeaders } from '../commands/operation.js';
import { problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import type { Checked } from './request/input.js';
import { defaultWaitMilliseconds, readWaitMilliseconds } from './request/prefer.js';

/** Reads the headers that the operation supports and ignores the others. */
export function readHeaders(
  operation: Operation,
  request: Request,
  exchange: Exchange,
  body: unknown,
): Checked<RequestHeaders> {
  const idempotency = readIdempotency(operation, request, exchange, body);
  if (idempotency !== undefined && 'kind' in idempotency) return idempotency;
  const preferredWaitMilliseconds = operation.accepts.includes('Prefer')
    ? readWaitMilliseconds(request.headers.get('prefer'))
    : undefined;
  const waitMilliseconds = preferredWaitMilliseconds ?? defaultWaitMilliseconds;
  const accepted = (name: AcceptedHeader) => (operation.accepts.includes(name) ? request.headers.get(name) : null);
  const mcp = { version: accepted('MCP-Protocol-Version'), method: accepted('Mcp-Method'), name: accepted('Mcp-Name') };
  const lastEventID = accepted('Last-Event-ID');
  return { kind: 'valid', value: { waitMilliseconds, preferredWaitMilliseconds, idempotency, lastEventID, mcp } };
}

function readIdempotency(
  operation: Operation,
  request: Request,
  { caller, params }: Exchange,
  body: unknown,
): KeyedRequest | Problem | undefined {
  const key = operation.accepts.includes('Idempotency-Key') ? request.headers.get('idempotency-key') : null;
  if (key === null || caller === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    return problem('BAD_REQUEST', 'Idempotency-Key: must be 1 to 255 visible ASCII characters');
  }
  return {
    projectID: params?.['projectID'] ?? '',
    operationID: operation.operationID,
    subject: caller.subject,
    key,
    fingerprint: requestFingerprint(JSON.stringify(params), body),
  };
}
