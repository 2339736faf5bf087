import type { KeyedRequest } from '../../store/projects/idempotency.js';
import { requestFingerprint } from '../commands/idempotency.js';
import type { RequestHeaders } from '../commands/operation.js';
import type { AcceptedHeader } from '../contract/operation.js';
import { problem, type Problem } from '../contract/problem.js';
import { readIfMatch } from '../http/request/if-match.js';
import { defaultWaitMilliseconds, readWaitMilliseconds } from '../http/request/prefer.js';
import type { Call } from './call.js';

/** 400 for a malformed header that the operation supports; others are ignored. */
export function readHeaders(call: Call): Problem | undefined {
  const idempotency = readIdempotency(call);
  if (idempotency !== undefined && 'kind' in idempotency) return idempotency;
  const ifMatch = readIfMatch(headerOf(call, 'If-Match'));
  if (ifMatch !== undefined && 'malformed' in ifMatch) return problem('BAD_REQUEST', `If-Match: ${ifMatch.malformed}`);
  const prefer = headerOf(call, 'Prefer');
  const preferredWaitMilliseconds = readWaitMilliseconds(prefer);
  call.headers = {
    waitMilliseconds: preferredWaitMilliseconds ?? defaultWaitMilliseconds,
    preferredWaitMilliseconds,
    idempotency,
    ifMatch,
    lastEventID: headerOf(call, 'Last-Event-ID'),
    mcp: call.operation.accepts.includes('MCP-Protocol-Version') ? readMcp(call) : noMcp,
    origin: headerOf(call, 'Origin'),
  };
  return undefined;
}

/** Null for a header that was not sent, or that the operation does not support. */
function headerOf({ operation, request }: Call, name: AcceptedHeader): string | null {
  return operation.accepts.includes(name) ? request.headers.get(name) : null;
}

const noMcp: RequestHeaders['mcp'] = { version: null, method: null, name: null };

function readMcp(call: Call): RequestHeaders['mcp'] {
  return {
    version: headerOf(call, 'MCP-Protocol-Version'),
    method: headerOf(call, 'Mcp-Method'),
    name: headerOf(call, 'Mcp-Name'),
  };
}

function readIdempotency(call: Call): KeyedRequest | Problem | undefined {
  const key = headerOf(call, 'Idempotency-Key');
  const { caller, params, repeatedUntil } = call.exchange;
  if (key === null || caller === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    return problem('BAD_REQUEST', 'Idempotency-Key: must be 1 to 255 visible ASCII characters');
  }
  if (call.isDryRun) return undefined;
  return {
    projectID: params?.['projectID'] ?? '',
    operationID: call.operation.operationID,
    subject: caller.subject,
    key,
    fingerprint: requestFingerprint(JSON.stringify(params), call.body),
    repeatedUntil,
  };
}
