/** The OpenAPI 3.1 document, generated only from the declarations of the operations. */
import type { z } from 'zod';
import { toJsonSchema, type Json } from './json-schema.js';
import type { AcceptedHeader, DeclaredOperation, ResponseDeclaration } from './operation.js';
import { problemCodes } from './problem.js';
import type { ProblemCode } from './problem.js';
import { canonicalOrder, tagOf } from './openapi-order.js';

/** OpenAPI 3.1. */
export type OpenApiDocument = Json;

/** Builds the document. Throws when two different schemas have the same name. */
export function createOpenApiDocument(operations: readonly DeclaredOperation[]): OpenApiDocument {
  const schemas = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const operation of canonicalOrder(operations)) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perdure',
      version: '1',
      summary: 'A durable BPMN host: deploy processes; start, operate, search, and repair their instances',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(canonicalOrder(operations).map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of a configured OpenID Connect issuer.',
        },
      },
      headers: sharedHeaders,
      schemas: { ...Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))), Problem: problemSchema },
    },
  };
}

const introduction = [
  'Every operation names the minimum role of its callers in `x-required-role`. A caller without that role, or without',
  'membership of the project, gets 404, exactly as for an object that does not exist; 403 is never returned.',
  'Checks run in this order: 401, 405, 404 for a missing right, 415, 413, 400, 404 for a missing object, 409, 412.',
  'The server itself rejects header sections above 16 KiB with 431. Any request can return 429 or 503 with',
  '`Retry-After`; a connection above the share of its address gets 429, and is then closed.',
  'A page of a list has at most 4 MiB of variables, inputs and outputs, or XML, and one row more. The rows after that are on the',
  'page without them, marked by `variablesOmitted`, `valuesOmitted`, or `xmlOmitted`: a smaller page, or the object itself, has them.',
  'JSON lines have every row complete. A poll leases fewer jobs than `maxJobs` when their variables take more than 4 MiB.',
].join(' ');

const sharedHeaders: Json = {
  RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'The methods that this path supports.', schema: { type: 'string' } },
  EntityTag: { description: 'Names the current state, for `If-Match` (RFC 9110).', schema: { type: 'string' } },
  Challenge: { description: 'The challenge of RFC 6750.', schema: { type: 'string' } },
};

const problemSchema: Json = {
  description: 'RFC 9457 problem details.',
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: '`urn:perdure:request:` followed by the request id.' },
    code: { type: 'string', enum: Object.keys(problemCodes) },
    message: { type: 'string' },
    details: { type: 'object' },
    requestID: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'details', 'requestID'],
};

function describeOperation(operation: DeclaredOperation, schemas: Map<string, Json>): Json {
  const { body } = operation.request;
  return {
    operationId: operation.operationID,
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    'x-required-role': operation.role,
    ...(operation.list === undefined ? {} : { 'x-list': operation.list }),
    ...(operation.role === 'public' ? { security: [] } : {}),
    parameters: [
      ...pathParameters(operation, schemas),
      ...queryParameters(operation, schemas),
      ...operation.accepts.map(headerParameter),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: {
              [operation.isForm ? 'multipart/form-data' : 'application/json']: {
                schema: toJsonSchema(body, 'input', schemas),
              },
            },
          },
        }),
    responses: describeResponses(operation, schemas),
  };
}

function pathParameters(operation: DeclaredOperation, schemas: Map<string, Json>): Json[] {
  return operation.parameterNames.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: toJsonSchema(operation.request.params[name] as z.ZodType, 'output', schemas),
  }));
}

function queryParameters(operation: DeclaredOperation, schemas: Map<string, Json>): Json[] {
  return Object.entries(operation.request.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    // Query text is parsed into the type that the output side shows.
    schema: toJsonSchema(schema as z.ZodType, 'output', schemas),
  }));
}

function headerParameter(name: AcceptedHeader): Json {
  return { name, in: 'header', required: false, ...describeHeader(name) };
}

/** The meaning of a header, and the schema of its value. */
export function describeHeader(name: AcceptedHeader): { readonly description: string; readonly schema: Json } {
  const meanings: Record<AcceptedHeader, ReturnType<typeof describeHeader>> = {
    Prefer: {
      description:
        '`wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). ' +
        'A caller with too many waiting requests gets 429.',
      schema: { type: 'string' },
    },
    'Idempotency-Key': {
      description:
        'Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
    'If-Match': {
      description: 'Entity tags: the request changes nothing and is 412 unless one of them is the current one.',
      schema: { type: 'string' },
    },
    'Last-Event-ID': {
      description: 'The id of the last event of the stream that was read; wins over `after`.',
      schema: { type: 'string' },
    },
    'MCP-Protocol-Version': {
      description: 'The version of the Model Context Protocol that the client speaks.',
      schema: { type: 'string' },
    },
    'Mcp-Method': { description: 'The method of the message (needed from 2026-07-28).', schema: { type: 'string' } },
    'Mcp-Name': { description: 'The tool of the message (needed from 2026-07-28).', schema: { type: 'string' } },
    Origin: {
      description: 'The origin of a page that calls. One that `CORS_ORIGINS` does not name is 403.',
      schema: { type: 'string' },
    },
  };
  return meanings[name];
}

function describeResponses(operation: DeclaredOperation, schemas: Map<string, Json>): Json {
  const responses: Json = {};
  for (const code of codesOf(operation)) {
    const { status } = problemCodes[code];
    const codes = codesOf(operation).filter((other) => problemCodes[other].status === status);
    responses[status] = describeProblems(status, codes);
  }
  for (const [status, declared] of Object.entries(operation.responses))
    responses[status] = {
      ...describeDeclared(responses[status] as DescribedResponse | undefined, declared, schemas),
      // Of a poll that was answered at once, because its caller has too many waits.
      ...(operation.polls && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
    };
  if (operation.lines !== undefined) addLines(responses[200] as { content: Json }, operation.lines, schemas);
  return responses;
}

/** The same rows, one after the other. */
function addLines(
  { content }: { content: Json },
  { format, item }: NonNullable<DeclaredOperation['lines']>,
  schemas: Map<string, Json>,
): void {
  content[format.mediaType] = { schema: toJsonSchema(item, 'output', schemas) };
}

/** The codes that the operation declares and those that the request pipeline adds. */
function codesOf(operation: DeclaredOperation): ProblemCode[] {
  const isPublic = operation.role === 'public';
  const always: ProblemCode[] = [
    'BAD_REQUEST',
    'METHOD_NOT_ALLOWED',
    'TOO_MANY_REQUESTS',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ];
  const withToken: ProblemCode[] = isPublic ? [] : ['UNAUTHORIZED'];
  const canBeMissing: ProblemCode[] =
    (isPublic || operation.role === 'authenticated') && operation.parameterNames.length === 0 ? [] : ['NOT_FOUND'];
  const withBody: ProblemCode[] = operation.method === 'GET' ? [] : ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
  return [...new Set([...always, ...withToken, ...canBeMissing, ...withBody, ...operation.problems])];
}

function describeProblems(status: number, codes: readonly ProblemCode[]): Json {
  const headers: Record<number, Json> = {
    401: { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } },
    405: { Allow: { $ref: '#/components/headers/Allow' } },
    412: { ETag: { $ref: '#/components/headers/EntityTag' } },
    429: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    503: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  };
  return {
    description: codes.map((code) => `${code}: ${problemCodes[code].title}.`).join(' '),
    ...(headers[status] === undefined ? {} : { headers: headers[status] }),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

interface DescribedResponse extends Json {
  readonly description: string;
  readonly content: Json;
}

/** A response that an operation declares, merged with the problems with the same status. */
function describeDeclared(
  problems: DescribedResponse | undefined,
  declared: ResponseDeclaration,
  schemas: Map<string, Json>,
): Json {
  const success = describeSuccess(declared, schemas);
  if (problems === undefined) return success;
  return {
    ...problems,
    description: `${declared.description}. ${problems.description}`,
    content: { ...(success['content'] as Json), ...problems.content },
  };
}

function describeSuccess(
  { description, schema, mediaType, hasTag }: ResponseDeclaration,
  schemas: Map<string, Json>,
): Json {
  const headers = hasTag && { headers: { ETag: { $ref: '#/components/headers/EntityTag' } } };
  if (schema !== undefined)
    return {
      description,
      ...headers,
      content: { 'application/json': { schema: toJsonSchema(schema, 'output', schemas) } },
    };
  return mediaType === undefined
    ? { description }
    : { description, content: { [mediaType]: { schema: { type: 'string' } } } };
}
