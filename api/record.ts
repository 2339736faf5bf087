/** What remains of an answered request: one log line and the metrics. */
import type { ApiContext } from './context.js';
import type { Exchange } from './exchange.js';
import type { Answer } from './operation.js';
import { isProblem, problemCodes } from './problem.js';
import type { Problem } from './problem.js';

/** Answers that say no for want of a right, an identity or an allowance: the audit log gives their true reason. */
const denials = new Set(['UNAUTHORIZED', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'TOO_MANY_REQUESTS']);

/**
 * Writes one line per request. Never in it: the path as it came and the query (both are the caller's text, and a
 * query may carry a token), headers, bodies. The route and its checked ids say which request it was.
 */
export function recordExchange({ logger, metrics }: ApiContext, exchange: Exchange, found: Answer | Problem): void {
  const milliseconds = performance.now() - exchange.startedAt;
  const problem = isProblem(found) ? found : undefined;
  const status = isProblem(found) ? problemCodes[found.code].status : found.status;
  const operation = exchange.operation?.operationID ?? 'none';
  metrics.requestSeconds.observe({ operation, method: knownMethod(exchange.method), status }, milliseconds / 1000);
  if (problem !== undefined && denials.has(problem.code)) metrics.denials.inc({ code: problem.code });

  const line = {
    event: problem !== undefined && denials.has(problem.code) ? 'denied' : 'answered',
    requestID: exchange.requestID,
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

/** Methods are the caller's text too: as labels they must stay few. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
