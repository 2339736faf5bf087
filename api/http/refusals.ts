/** Problems that the request pipeline returns before a handler runs. */
import { problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';
import type { Route } from './routes.js';

export function tooMany(message: string, retryAfterSeconds: number): Problem<'TOO_MANY_REQUESTS'> {
  return problem('TOO_MANY_REQUESTS', `Limit reached: ${message}`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    reason: message,
  });
}

/** RFC 6750 section 3: without a token no error is named; with one it is `invalid_token`. */
export function unauthorized(reason: string, description: string | undefined): Problem {
  const challenge = 'Bearer realm="perdure"';
  return problem('UNAUTHORIZED', description ?? 'Send an access token: Authorization: Bearer <token>', {
    headers: {
      'WWW-Authenticate':
        description === undefined
          ? challenge
          : `${challenge}, error="invalid_token", error_description="${description}"`,
    },
    reason,
  });
}

export function methodNotAllowed(route: Route): Problem {
  const methods = [...route.operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return problem('METHOD_NOT_ALLOWED', 'This path does not support the method', {
    headers: { Allow: methods.join(', ') },
  });
}
