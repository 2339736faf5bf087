import { readTraceContext } from '../../telemetry/trace-context.js';
import type { SpanDescription } from '../../telemetry/tracer.js';
import type { Exchange } from './exchange.js';
import type { OperationResult } from '../commands/operation.js';
import { isProblem, problemCodes, type Problem } from '../contract/problem.js';

/**
 * The span of a request. Never records the path as received, the query, headers, or bodies; the route and its checked
 * ids identify the request.
 */
export function requestSpan(exchange: Exchange): SpanDescription<OperationResult | Problem> {
  return {
    name: 'request',
    kind: 'server',
    parent: readTraceContext(exchange.request.headers),
    attributes: { 'perdure.request_id': exchange.requestID },
    conclude(found) {
      const { operation, params } = exchange;
      const status = isProblem(found) ? problemCodes[found.code].status : found.status;
      return {
        ...(operation && { name: `${operation.method} ${operation.path}` }),
        attributes: {
          'http.response.status_code': status,
          ...(operation && {
            'http.request.method': operation.method,
            'http.route': operation.path,
            'perdure.operation': operation.operationID,
          }),
          ...(isProblem(found) && { 'error.type': found.code }),
          ...Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [`perdure.${name}`, value])),
        },
        isError: status >= 500,
      };
    },
  };
}
