/**
 * The external task protocol of Camunda 7 as one Hono application, on a separate port. It has no handlers: requests are
 * translated, and take the steps of the API's pipeline, with the limits of the API.
 */
import type { Hono } from 'hono';
import { loggableError } from '../../telemetry/logger.js';
import type { OperationResult } from '../commands/operation.js';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import { isProblem, type Problem } from '../contract/problem.js';
import type { Exchange } from '../http/exchange.js';
import { answered } from '../http/failures.js';
import { listen } from '../http/listen.js';
import { logRequest } from '../http/log-request.js';
import { requestSpan } from '../http/request-span.js';
import type { RequestLimits } from '../pipeline/api-host.js';
import { createApiPipeline } from '../pipeline/api-pipeline.js';
import { bearerOf } from './authorization.js';
import { endpoints } from './endpoints.js';
import { camundaProblems, toCamundaProblem } from './problems.js';

const answers = new Map(endpoints.map(({ operation, answer }) => [operation, answer]));

/** @param limits those of the API, so that a caller has no second share */
export function createCamunda7App(context: ApiContext, configuration: ApiConfiguration, limits: RequestLimits): Hono {
  const operations = endpoints.map(({ operation }) => operation);
  const respond = createApiPipeline(context, configuration, operations, limits);
  return listen(
    {
      respond: (exchange) =>
        context.tracer.trace(requestSpan(exchange), async (traceContext) => {
          exchange.traceContext = traceContext;
          return translatedAnswer(exchange, await answered(context, exchange, () => respond(exchange)));
        }),
      record: (exchange, found) => logRequest(context, exchange, found),
      recordAborted: ({ requestID }, error) =>
        context.logger.error({ event: 'exception', requestID, error: loggableError(error) }, 'stream aborted'),
    },
    {
      via: 'REST',
      trustedProxies: configuration.trustedProxies,
      authorizationOf: bearerOf,
      problems: camundaProblems,
    },
  );
}

function translatedAnswer({ operation }: Exchange, found: OperationResult | Problem): OperationResult | Problem {
  if (isProblem(found)) return toCamundaProblem(found);
  const answer = answers.get(operation!)!(found);
  return isProblem(answer) ? answer : { ...answer, headers: found.headers ?? {} };
}
