/**
 * The declaration of a REST operation: method, path, role, schemas, and named problems in one place. `defineOperation`
 * adds its handler.
 *
 * The routes, the access check, input validation, the OpenAPI document, and the generated access tests are all derived
 * from these declarations, so they cannot disagree with the code. An operation without a role, a request, or responses
 * does not compile.
 */
import type { z } from 'zod';
import type { LimitedKind, LinesFormat } from './lines.js';
import type { ListDescription } from './list-description.js';
import type { ProblemCode } from './problem.js';
import type { Recorded, Recording } from './audit/recording.js';
import type { ProjectRole, RequiredRole } from './roles.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Headers that an operation supports; the request pipeline parses them. */
export type AcceptedHeader =
  | 'Prefer'
  | 'Idempotency-Key'
  | 'If-Match'
  | 'Last-Event-ID'
  | 'MCP-Protocol-Version'
  | 'Mcp-Method'
  | 'Mcp-Name'
  | 'Origin';

/** `Prefer` comes with `waits`. */
type DeclaredHeader = Exclude<AcceptedHeader, 'Prefer'>;

/**
 * Purpose of the wait of `Prefer: wait=N`. `outcome`: the effect of a command, 5 seconds without the header. `news`: a
 * result or events, not at all without the header.
 */
export type Waits = 'outcome' | 'news';

export type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

/** A project role requires a path that names the project. */
export type PathFor<Role extends RequiredRole> = Role extends ProjectRole
  ? `/projects/{projectID}${string}`
  : `/${string}`;

export type QuerySchema = z.ZodObject;

export interface ResponseDeclaration {
  readonly description: string;
  /** The JSON body. Absent for a response without a body or with one that is not JSON. */
  readonly schema?: z.ZodType;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  /** The response has an `ETag`, which names the state that it shows. */
  readonly hasTag?: true;
}

export type Responses = Readonly<Record<number, ResponseDeclaration>>;

export type OperationDeclaration<
  Role extends RequiredRole,
  Path extends PathFor<Role>,
  Query extends QuerySchema | undefined,
  Body extends z.ZodType | undefined,
  Declared extends Responses,
  Code extends ProblemCode,
> = UnrecordedDeclaration<Role, Path, Query, Body, Declared, Code> &
  Recorded<ParamsOf<Path>, QueryOf<Query>, BodyOf<Body>>;

export type ParamsOf<Path extends string> = { readonly [Name in ParameterName<Path>]: string };
export type QueryOf<Query> = Query extends QuerySchema ? z.output<Query> : Record<never, never>;
export type BodyOf<Body> = Body extends z.ZodType ? z.output<Body> : undefined;

/** Without what it records. */
export interface UnrecordedDeclaration<
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
  /** Whether it can create the row of its project (`openProject`), and responds itself if the project has been deleted. */
  readonly opensProject?: boolean;
  /** Headers that this operation supports; it ignores the others. */
  readonly accepts?: readonly DeclaredHeader[];
  /**
   * Needed to wait: `context.notifications` refuses to wait longer than this and `polls` allow. Waits that a
   * request asks for are counted per caller. Above the limit, `Prefer: wait=N` is 429.
   */
  readonly waits?: Waits;
  /** For how many milliseconds the request waits for jobs. Above the limit of waits, it is answered at once. */
  readonly polls?: (body: BodyOf<Body>) => number;
  /** Searches, evaluations, and comparisons of runs each have a separate limit of concurrent requests per caller. */
  readonly countsAs?: LimitedKind;
  /** How long the handler can take before the request fails with 503 (default 30). */
  readonly deadlineSeconds?: number;
  /** The body is `multipart/form-data`: its files are lists of `z.file()`, and its other parts are texts. */
  readonly isForm?: true;
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

/** A declaration after type checking: the input of routes and of the documentation. */
export interface DeclaredOperation {
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
  readonly opensProject: boolean;
  readonly accepts: readonly AcceptedHeader[];
  readonly waits: Waits | undefined;
  readonly polls: ((body: unknown) => number) | undefined;
  readonly countsAs: LimitedKind | undefined;
  readonly records: Recording<unknown, unknown, unknown> | undefined;
  readonly deadlineSeconds: number;
  readonly isForm: boolean;
  readonly maxBodyBytes: number | undefined;
  readonly maxBodyValues: number | undefined;
  readonly list: ListDescription | undefined;
  /** All rows of a list, for requests that accept a stream. */
  readonly lines:
    | {
        readonly query: QuerySchema;
        readonly item: z.ZodType;
        readonly format: LinesFormat;
      }
    | undefined;
}
