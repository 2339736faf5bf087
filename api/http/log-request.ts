/** Records an answered request: one log line and the metrics. */
import type { ApiContext } from '../context.js';
import type { Exchange } from './exchange.js';
import type { OperationResult } from '../commands/operation.js';
import { isProblem, problemCodes } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';

/** Denials for a missing right, identity, or allowance; the audit log records their actual reason. */
const denials = new Set(['UNAUTHORIZED', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'TOO_MANY_REQUESTS']);

/**
 * Writes one line per request. Never logs the path as received or the query (both are text from the caller, and a query
 * can carry a token), headers, or bodies. The route and its checked ids identify the request.
 */
export function logRequest(
  { logger, metrics }: ApiContext,
  exchange: Exchange,
  found: OperationResult | Problem,
): void {
  const milliseconds = performance.now() - exchange.startedAt;
  const problem = isProblem(found) ? found : undefined;
  const status = isProblem(found) ? problemCodes[found.code].status : found.status;
  const operation = exchange.operation?.operationID ?? 'none';
  metrics.requestSeconds.observe({ operation, method: knownMethod(exchange.method), status }, milliseconds / 1000);
  if (problem !== undefined && denials.has(problem.code)) metrics.denials.inc({ code: problem.code });

  const line = {
    event: problem !== undefined && denials.has(problem.code) ? 'denied' : 'answered',
    requestID: exchange.requestID,
    clientRequestID: exchange.clientRequestID,
    operation,
    method: exchange.method,
    params: exchange.params,
    status,
    code: problem?.code,
    reason: problem?.reason,
    milliseconds: Math.round(milliseconds),
    subject: exchange.caller?.subject,
    issuer: exchange.caller?.issuer,
    serviceAccount: exchange.caller?.isServiceAccount,
    clientAddress: exchange.clientAddress,
  };
  if (problem === undefined) logger.debug(line);
  else if (status >= 500) logger.error(line);
  else logger.info(line);
}

/** Methods are text from the caller too; as metric labels, their number must be bounded. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
