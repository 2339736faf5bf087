/**
 * The declaration of a REST operation: method, path, role, schemas, named problems, and handler in one place.
 *
 * The routes, the access check, input validation, the OpenAPI document, and the generated access tests are all derived
 * from these declarations, so they cannot disagree with the code. An operation without a role, a request, or responses
 * does not compile.
 */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Turns } from '@perdure/lib/fair-turns.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import type { AuditDraft } from '../../store/audit/entries.js';
import type { KeyedRequest } from '../../store/projects/idempotency.js';
import type { Caller } from '../access/caller.js';
import type { ApiContext } from '../context.js';
import type { StaticDocument } from '../http/response/static-document.js';
import type { ListDescription } from '../commands/list-description.js';
import { jsonLines, type Lines, type LinesFormat } from './lines.js';
import type { Problem, ProblemCode } from './problem.js';
import type { ProjectRole, RequiredRole } from './roles.js';
import { identifier } from './schemas.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Headers that an operation supports; the request pipeline parses them. */
export type AcceptedHeader =
  'Prefer' | 'Idempotency-Key' | 'Last-Event-ID' | 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name';

/** `Prefer` comes with `waits`. */
type DeclaredHeader = Exclude<AcceptedHeader, 'Prefer'>;

/**
 * Purpose of the wait of `Prefer: wait=N`. `outcome`: the effect of a command, 5 seconds without the header. `news`: a
 * result or events, not at all without the header.
 */
export type Waits = 'outcome' | 'news';

/** Kinds of work with a limit of concurrent requests per caller. */
export type LimitedKind = 'search' | 'evaluation' | 'stream';

export type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

/** A project role requires a path that names the project. */
type PathFor<Role extends RequiredRole> = Role extends ProjectRole ? `/projects/{projectID}${string}` : `/${string}`;

type QuerySchema = z.ZodObject;

export interface ResponseDeclaration {
  readonly description: string;
  /** The JSON body. Absent for a response without a body or with one that is not JSON. */
  readonly schema?: z.ZodType;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
}

export type Responses = Readonly<Record<number, ResponseDeclaration>>;

type AnswerBody<Response> = Response extends { schema: infer Schema extends z.ZodType }
  ? { readonly body: z.output<Schema> }
  : Response extends { mediaType: string }
    ? { readonly body: string | Uint8Array<ArrayBuffer> }
    : { readonly body?: undefined };

type ResultOf<Declared extends Responses> = {
  [Status in keyof Declared & number]: {
    readonly status: Status;
    readonly headers?: Readonly<Record<string, string>>;
    readonly document?: StaticDocument;
    readonly audit?: Partial<AuditDraft> | undefined;
  } & AnswerBody<Declared[Status]>;
}[keyof Declared & number];

/** Codes that any operation can return without declaring them; the request pipeline documents them where they apply. */
type AlwaysAllowed = 'NOT_FOUND' | 'BAD_REQUEST' | 'PAYLOAD_TOO_LARGE' | 'UNAVAILABLE' | 'TOO_MANY_REQUESTS';

/** The parsed headers that operations have access to. */
export interface RequestHeaders {
  /** How long a command can wait for its effect: `Prefer: wait=N` (default 5 seconds). */
  readonly waitMilliseconds: number;
  /** The wait in `Prefer`; undefined without it. */
  readonly preferredWaitMilliseconds: number | undefined;
  /** Present when the operation accepts the header and the caller sent it. */
  readonly idempotency: KeyedRequest | undefined;
  /** Where a reader of a stream continues; null if not sent. */
  readonly lastEventID: string | null;
  /** Headers of the Model Context Protocol; null if not sent. */
  readonly mcp: { readonly version: string | null; readonly method: string | null; readonly name: string | null };
}

/** The other operations of the host, for an operation that calls them in the name of its caller. */
export interface Pipeline {
  readonly operations: readonly Operation[];
  readonly requestID: string;
  /** Does all that happens to a separate request after authentication: rights, limits, validation, audit, log. */
  call(operation: Operation, call: OperationCall): Promise<OperationResult | Problem>;
}

export interface OperationCall {
  /** The path parameters in order, percent-encoded. */
  readonly rawParameters: readonly string[];
  /** The query string, without its question mark. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The input of a handler. Every member is validated; `params.projectID` is the canonical id of the project. */
export interface HandlerInput<Params, Query, Body, Who> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  readonly headers: RequestHeaders;
  /** The trace context for everything that the request causes. */
  readonly traceContext: TraceContext | undefined;
  readonly context: ApiContext;
  /** The audit entry of the request; passed to the store by operations that record their change themselves. */
  readonly audit: AuditDraft | undefined;
  /** Carries the request id. Never log a token, a query string, or the value of a variable. */
  readonly log: Logger;
  /** Aborted when the client disconnects; ends long polls. */
  readonly signal: AbortSignal;
  /** The turns of the caller at threads. What waits or runs ends with the request. */
  readonly turns: Turns;
  /** How long to wait for jobs: what `polls` says, or 0 if the caller has too many waiting requests. */
  readonly pollMilliseconds: number;
  readonly pipeline: Pipeline;
}

/**
 * How a request that changes something is recorded in the audit log.
 *
 * `transaction`: the pipeline runs the handler in one transaction and writes the entry in it. `itself`: the handler
 * passes `audit` to the store, which writes the entry with the change; for handlers that wait or act after the commit.
 * `beforehand`: the change happens elsewhere; the entry is written first and updated with the answer. `none`: nothing
 * is recorded, because nothing changes, or because the history of the instance has it.
 */
export type Recording = 'transaction' | 'itself' | 'beforehand' | 'none';

export interface OperationDeclaration<
  Role extends RequiredRole,
  Path extends PathFor<Role>,
  Query extends QuerySchema | undefined,
  Body extends z.ZodType | undefined,
  Declared extends Responses,
  Code extends ProblemCode,
> {
  /** The operation's name in OpenAPI and in generated clients, for example `StartBpmnInstance`. */
  readonly operationID: string;
  readonly method: Method;
  /** Parameters in braces: `/projects/{projectID}/bpmn/instances`. A literal segment wins over a parameter. */
  readonly path: Path;
  /** Needed for every method but GET; `test/api/operations/audit.test.ts` checks it. */
  readonly records?: Recording;
  /** The minimum role of callers. `public` must be declared explicitly. */
  readonly role: Role;
  /** Imperative, at most 60 characters, no final period. */
  readonly summary: string;
  readonly description?: string;
  readonly request: {
    /** Stricter rules for path parameters; the rule for path ids always applies. A violation is 404. */
    readonly params?: Partial<Record<ParameterName<Path>, z.ZodType<string, string>>>;
    /** Build its members with the `query...` schemas of `schemas.ts`; other parameters are refused. */
    readonly query?: Query;
    /** Use `z.strictObject`, so that other properties are refused. `.optional()` allows an absent body. */
    readonly body?: Body;
  };
  readonly responses: Declared;
  /** The codes that this operation can return in addition to those of every operation. */
  readonly problems: readonly Code[];
  /** Headers that this operation supports; it ignores the others. */
  readonly accepts?: readonly DeclaredHeader[];
  /**
   * Needed to wait: `context.notifications` refuses to wait longer than this and `polls` allow. Waits that a
   * request asks for are counted per caller. Above the limit, `Prefer: wait=N` is 429.
   */
  readonly waits?: Waits;
  /** For how many milliseconds the request waits for jobs. Above the limit of waits, it is answered at once. */
  readonly polls?: (body: Body extends z.ZodType ? z.output<Body> : undefined) => number;
  /** Searches and evaluations of decisions each have a separate limit of concurrent requests per caller. */
  readonly countsAs?: LimitedKind;
  /** How long the handler can take before the request fails with 503 (default 30). */
  readonly deadlineSeconds?: number;
  /** The size limit of the body, if it is not the limit of the host. */
  readonly maxBodyBytes?: number;
  /** The limit of JSON values in the body, if it is lower than that of any JSON. */
  readonly maxBodyValues?: number;
  /** The filters and orders of a list: see `commands/define-list.ts`. */
  readonly list?: ListDescription;
  /** A list that can also be read as a stream: see `commands/define-list.ts`. */
  readonly lines?: {
    readonly query: QuerySchema;
    readonly item: z.ZodType;
    /** Default: JSON lines. */
    readonly format?: LinesFormat;
  };
}

/** The handler type that follows from a declaration. */
export type Handler<
  Role extends RequiredRole,
  Path extends string,
  Query extends QuerySchema | undefined,
  Body extends z.ZodType | undefined,
  Declared extends Responses,
  Code extends ProblemCode,
> = (
  input: HandlerInput<
    { readonly [Name in ParameterName<Path>]: string },
    Query extends QuerySchema ? z.output<Query> : Record<never, never>,
    Body extends z.ZodType ? z.output<Body> : undefined,
    Role extends 'public' ? undefined : Caller
  >,
) => Promise<ResultOf<Declared> | Problem<Code | AlwaysAllowed>>;

/** A response as the request pipeline sees it. */
export interface OperationResult {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids and facts for the audit entry that neither the path nor the body has: created or touched objects. */
  readonly audit?: Partial<AuditDraft> | undefined;
  /** Sent instead of `body`, whose serialization it is. */
  readonly document?: StaticDocument;
  /** Instead of `body`: a list that is sent while it is read. */
  readonly lines?: Lines;
}

/** Reads all rows of a list, or finds that there is no such list. */
export type ReadLines = (
  input: HandlerInput<unknown, unknown, unknown, unknown>,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown> | Problem>;

/** An operation after type checking: the input of routes, documentation, and tests. */
export interface Operation {
  readonly operationID: string;
  readonly method: Method;
  readonly path: string;
  readonly parameterNames: readonly string[];
  readonly role: RequiredRole;
  readonly summary: string;
  readonly description: string | undefined;
  readonly request: {
    readonly params: Readonly<Record<string, z.ZodType<string, string>>>;
    readonly query: QuerySchema | undefined;
    readonly body: z.ZodType | undefined;
  };
  readonly responses: Responses;
  readonly problems: readonly ProblemCode[];
  readonly accepts: readonly AcceptedHeader[];
  readonly waits: Waits | undefined;
  readonly polls: ((body: unknown) => number) | undefined;
  readonly countsAs: LimitedKind | undefined;
  readonly records: Recording | undefined;
  readonly deadlineSeconds: number;
  readonly maxBodyBytes: number | undefined;
  readonly maxBodyValues: number | undefined;
  readonly list: ListDescription | undefined;
  /** All rows of a list, for requests that accept a stream. */
  readonly lines:
    | {
        readonly query: QuerySchema;
        readonly item: z.ZodType;
        readonly format: LinesFormat;
        read: ReadLines;
      }
    | undefined;
  handle(input: HandlerInput<unknown, unknown, unknown, unknown>): Promise<OperationResult | Problem>;
}

const defaultDeadlineSeconds = 30;

/**
 * Declares one REST operation: `defineOperation({...}).handle(async (input) => ...)`. Add the result to
 * `operations/index.ts`; no other change is needed.
 *
 * Declaration and handler are two calls because TypeScript then knows the declared types when it checks the handler,
 * and reports the property that does not match.
 */
export function defineOperation<
  const Role extends RequiredRole,
  const Path extends PathFor<Role>,
  const Declared extends Responses,
  const Code extends ProblemCode = never,
  Query extends QuerySchema | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  declaration: OperationDeclaration<Role, Path, Query, Body, Declared, Code>,
): {
  /** @param readLines needed if `lines` is declared */
  handle(handler: Handler<Role, Path, Query, Body, Declared, Code>, readLines?: ReadLines): Operation;
} {
  const parameterNames = [...declaration.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
  const stricter: Partial<Record<string, z.ZodType<string, string>>> = declaration.request.params ?? {};
  return {
    handle: (handler, readLines) => ({
      operationID: declaration.operationID,
      method: declaration.method,
      path: declaration.path,
      parameterNames,
      role: declaration.role,
      summary: declaration.summary,
      description: declaration.description,
      request: {
        params: Object.fromEntries(parameterNames.map((name) => [name, stricter[name] ?? identifier])),
        query: declaration.request.query,
        body: declaration.request.body,
      },
      responses: declaration.responses,
      problems: declaration.problems,
      accepts: [...(declaration.waits === undefined ? [] : (['Prefer'] as const)), ...(declaration.accepts ?? [])],
      waits: declaration.waits,
      polls: declaration.polls as Operation['polls'],
      countsAs: declaration.countsAs,
      records: declaration.records,
      deadlineSeconds: declaration.deadlineSeconds ?? defaultDeadlineSeconds,
      maxBodyBytes: declaration.maxBodyBytes,
      maxBodyValues: declaration.maxBodyValues,
      list: declaration.list,
      lines: declaration.lines && readLines && { format: jsonLines, ...declaration.lines, read: readLines },
      // The only place that drops the types: the request pipeline has validated the input with the same schemas.
      handle: handler as Operation['handle'],
    }),
  };
}
