import type { Method } from '../contract/operation.js';
import { notFound } from '../contract/problem.js';
import type { Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/refusals.js';
import type { ApiHost } from './api-host.js';

/** Finds the operation, which says whether the request needs a token. Responds nothing: that comes first. */
export function findRoute(exchange: Exchange, { routes }: ApiHost): undefined {
  const { path, search } = splitTarget(exchange.request.url);
  exchange.search = search;
  exchange.route = routes.find(path);
  // HEAD is handled as GET; the server drops the body.
  const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
  exchange.operation = exchange.route?.operations.get(method as Method);
}

/** 404 for an unknown path, 405 for another method. Routes are public knowledge, so 405 reveals nothing. */
export function requireRoute({ route, operation }: Exchange) {
  if (route === undefined) return notFound('no operation has this path');
  return operation === undefined ? methodNotAllowed(route) : undefined;
}

/** Path and query as received: not decoded, and without the host. */
function splitTarget(url: string): { path: string; search: string } {
  const afterHost = url.indexOf('/', url.indexOf('://') + 3);
  const target = afterHost < 0 ? '/' : (url.slice(afterHost).split('#')[0] as string);
  const question = target.indexOf('?');
  return question < 0
    ? { path: target, search: '' }
    : { path: target.slice(0, question), search: target.slice(question + 1) };
}
