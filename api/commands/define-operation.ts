/** Declares REST operations with their handlers. */
import type { z } from 'zod';
import type { AuditDraft } from '../../store/audit/entries.js';
import type { CachedResponse } from '../../store/projects/idempotency.js';
import type { Caller } from '../access/caller.js';
import { jsonLines } from '../contract/lines.js';
import type {
  BodyOf,
  OperationDeclaration,
  ParamsOf,
  PathFor,
  QueryOf,
  QuerySchema,
  Responses,
} from '../contract/operation.js';
import type { Problem, ProblemCode } from '../contract/problem.js';
import type { RequiredRole } from '../contract/roles.js';
import { identifier } from '../contract/schemas.js';
import type { StaticDocument } from '../http/response/static-document.js';
import type { HandlerInput, Operation, ReadBody, ReadLines } from './operation.js';

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

/** The handler type that follows from a declaration. */
type Handler<
  Role extends RequiredRole,
  Path extends string,
  Query extends QuerySchema | undefined,
  Body extends z.ZodType | undefined,
  Declared extends Responses,
  Code extends ProblemCode,
> = (input: InputOf<Role, Path, Query, Body>) => Promise<ResultOf<Declared> | Problem<Code | AlwaysAllowed>>;

type InputOf<
  Role extends RequiredRole,
  Path extends string,
  Query extends QuerySchema | undefined,
  Body extends z.ZodType | undefined,
> = HandlerInput<ParamsOf<Path>, QueryOf<Query>, BodyOf<Body>, Role extends 'public' ? undefined : Caller>;

/** Optional parts of an operation besides its handler. */
interface More<Input, Result> {
  /** Needed if `lines` is declared. */
  readonly readLines?: ReadLines;
  /** For a body whose values would take too long on the event loop. The handler gets its result as `body`. */
  readonly readBody?: ReadBody;
  /**
   * The response to a repeat under an `Idempotency-Key`, with the present state of what the first one has (default: the
   * first response).
   */
  readonly answerAgain?: (input: Input, first: CachedResponse) => Promise<Result>;
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
  handle(
    handler: Handler<Role, Path, Query, Body, Declared, Code>,
    more?: More<InputOf<Role, Path, Query, Body>, ResultOf<Declared>>,
  ): Operation;
} {
  const parameterNames = [...declaration.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
  const stricter: Partial<Record<string, z.ZodType<string, string>>> = declaration.request.params ?? {};
  return {
    handle: (handler, { readLines, readBody, answerAgain } = {}) => ({
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
      problems: declaration.accepts?.includes('Idempotency-Key')
        ? [...declaration.problems, 'IDEMPOTENCY_KEY_REUSED']
        : declaration.problems,
      opensProject: declaration.opensProject ?? false,
      accepts: [...(declaration.waits === undefined ? [] : (['Prefer'] as const)), ...(declaration.accepts ?? [])],
      waits: declaration.waits,
      polls: declaration.polls as Operation['polls'],
      countsAs: declaration.countsAs,
      records: declaration.records as Operation['records'],
      deadlineSeconds: declaration.deadlineSeconds ?? defaultDeadlineSeconds,
      isForm: declaration.isForm ?? false,
      maxBodyBytes: declaration.maxBodyBytes,
      maxBodyValues: declaration.maxBodyValues,
      list: declaration.list,
      readBody,
      lines: declaration.lines && readLines && { format: jsonLines, ...declaration.lines, read: readLines },
      // The only place that drops the types: the request pipeline has validated the input with the same schemas.
      handle: handler as Operation['handle'],
      answerAgain: answerAgain as Operation['answerAgain'],
    }),
  };
}
