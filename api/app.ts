/** The API as one Hono application, without a port. */
import type { Hono } from 'hono';
import { loggableError } from '../telemetry/logger.js';
import type { Operation } from './commands/operation.js';
import type { ApiConfiguration } from './configuration.js';
import type { ApiContext } from './context.js';
import { answered } from './http/failures.js';
import { listen } from './http/listen.js';
import { logRequest } from './http/log-request.js';
import { requestSpan } from './http/request-span.js';
import { operations as allOperations } from './operations/index.js';
import { createRequestLimits, type RequestLimits } from './pipeline/api-host.js';
import { createApiPipeline } from './pipeline/api-pipeline.js';

/**
 * Builds the application.
 *
 * @param operations the operations to serve; a test can bring its own instead of the product's
 * @param limits shared with other listeners
 */
export function createApp(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[] = allOperations,
  limits: RequestLimits = createRequestLimits(configuration),
): Hono {
  const respond = createApiPipeline(context, configuration, operations, limits);
  const { corsOrigins, trustedProxies } = configuration;
  return listen(
    {
      respond: (exchange) =>
        context.tracer.trace(requestSpan(exchange), async (traceContext) => {
          exchange.traceContext = traceContext;
          return answered(context, exchange, () => respond(exchange));
        }),
      record: (exchange, found) => logRequest(context, exchange, found),
      recordAborted: ({ requestID }, error) =>
        context.logger.error({ event: 'exception', requestID, error: loggableError(error) }, 'stream aborted'),
    },
    { via: 'REST', corsOrigins, trustedProxies },
  );
}
