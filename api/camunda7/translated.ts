/**
 * An operation of the API under a path and with a body of Camunda 7. Everything else is that of the operation: role,
 * limits, audit, waits, and handler.
 */
import type { z } from 'zod';
import type { Operation, OperationResult } from '../commands/operation.js';
import { isProblem, type Problem } from '../contract/problem.js';
import { check } from '../http/request/check.js';
import type { JsonBodyLimits } from '../http/request/read-json.js';

/** An operation, and its responses in the other protocol. */
export interface Endpoint {
  readonly operation: Operation;
  readonly answer: (found: OperationResult) => OperationResult | Problem;
}

interface Given<Body> {
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly reading: JsonBodyLimits;
}

/** The body of the operation, as a client of the API would send it. */
interface Made {
  readonly body: Readonly<Record<string, unknown>>;
  /** Members for the handler that no client of the API can send. */
  readonly more?: Readonly<Record<string, unknown>>;
}

interface Translation<Body extends z.ZodType> {
  /** Below `/projects/{projectID}/engine-rest`. */
  readonly path: string;
  readonly body: Body;
  readonly translate: (given: Given<z.output<Body>>) => Made | Problem | Promise<Made | Problem>;
  readonly answer?: Endpoint['answer'];
}

const withoutContent = (): OperationResult => ({ status: 204 });

export function translated<Body extends z.ZodType>(
  operation: Operation,
  { path, body, translate, answer = withoutContent }: Translation<Body>,
): Endpoint {
  return {
    answer,
    operation: {
      ...operation,
      path: pathOf(path),
      accepts: [],
      request: { ...operation.request, body },
      async translateBody(given, params, reading) {
        const made = await translate({ body: given as z.output<Body>, params, reading });
        if (isProblem(made)) return made;
        const checked = check(operation.request.body!, made.body, 'body');
        if (checked.kind === 'problem') return checked;
        return { kind: 'valid', value: { ...(checked.value as object), ...made.more } };
      },
    },
  };
}

export function pathOf(path: string): string {
  return `/projects/{projectID}/engine-rest${path}`;
}
