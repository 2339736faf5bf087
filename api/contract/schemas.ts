/** Schemas that many operations share: ids, times, query parameters, pages. */
import { z } from 'zod';

/** The rule for every id in a path. ASCII only, so that every id has exactly one spelling. */
export const identifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}$/);

/**
 * An id that the database generated. Any other text gets 404 before it reaches Postgres. Callers may write it in upper case
 * (RFC 9562, section 4). The handler receives lower case, as the database writes it, because some columns have it as text.
 */
export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  .toLowerCase();

/** Whether a FEEL expression has nothing after the equals sign that it may begin with. Takes linear time. */
export function isEmptyExpression(text: string): boolean {
  return ['', '='].includes(text.trim());
}

/**
 * An id that a modeler wrote into a BPMN or DMN file: an XML NCName. It can begin with an underscore, as in the files
 * of many tools; generated path ids cannot.
 */
export const modelIdentifier = z
  .string()
  .max(255)
  .regex(/^[\p{L}_][\p{L}\p{M}\p{N}_.·-]*$/u);

/** RFC 3339 with a zone, in responses. */
export const timestamp = z.iso.datetime({ offset: true });

/**
 * RFC 3339 with a zone, in requests; the handler receives UTC with milliseconds. Postgres refuses some valid RFC 3339
 * texts (the year 0, zones beyond 15 hours), so only the instant is passed on.
 */
export const givenTimestamp = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => new Date(text).getUTCFullYear() >= 1 && new Date(text).getUTCFullYear() <= 9999, {
    error: 'must have a year from 1 to 9999',
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString());

const MAX_DAYS_AHEAD = 366;
const DAY_MS = 86_400_000;

/** A time at which something is to happen. One that has passed is now. */
export const givenTimeAhead = givenTimestamp.refine((at) => Date.parse(at) <= Date.now() + MAX_DAYS_AHEAD * DAY_MS, {
  error: `must be at most ${MAX_DAYS_AHEAD} days ahead`,
});

/** Time, actor, and reason of the suspension of an object; absent unless it is suspended. */
export const suspensionMembers = {
  suspendedAt: timestamp.optional(),
  suspendedBy: z.string().optional(),
  suspendReason: z.string().optional(),
};

/** At most 255 characters: an index on it must stay below the size limit of an index row. */
export const businessId = z.string().max(255);

/**
 * The id of an instance outside the path of a request. The schema refuses no id: one that no instance can have simply
 * matches none.
 */
export const givenWorkflowID = z.string().max(255);

/**
 * The variables of an instance or a scope: any JSON object. The request pipeline has already read it as storable JSON.
 */
export const variables = z.record(z.string(), z.unknown());

/** An integer in a query. `1e3`, ` 5`, `0x10`, and the empty string are not integers here. */
export function queryInteger({ minimum, maximum }: { minimum: number; maximum: number }) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text),
    z.int().min(minimum).max(maximum),
  );
}

/** `true` or `false` in a query. */
export const queryBoolean = z.preprocess(
  (text) => (text === 'true' ? true : text === 'false' ? false : text),
  z.boolean(),
);

/** In a query: only what belongs to tests of drafts, which is left out otherwise. The request pipeline reads it. */
export const isTest = queryBoolean.optional();

/** The same in a body. */
export const givenIsTest = z.boolean().optional();

/** In responses: the instance tests a draft. */
export const testMember = z.literal(true).optional();

/** The query of every paginated list: pages count from 1, with up to 100 items (default 20). */
export const pageQuery = {
  page: queryInteger({ minimum: 1, maximum: 1_000_000 }).default(1),
  pageSize: queryInteger({ minimum: 1, maximum: 100 }).default(20),
};

export const pagination = z
  .strictObject({
    page: z.int(),
    pageSize: z.int(),
    /** Exact up to 10,000. */
    total: z.int(),
    totalPages: z.int(),
    /** Only if `total` is an estimate. */
    isTotalEstimate: z.literal(true).optional(),
  })
  .meta({ id: 'PaginationMetadata' });

/** The response of a paginated list; `name` is its name in the OpenAPI document. */
export function pageOf<Item extends z.ZodType>(name: string, item: Item) {
  return z.strictObject({ data: z.array(item), pagination }).meta({ id: name });
}

/** In a row of a page: what the page leaves out of it. */
export function omitted(what: string) {
  return z
    .literal(true)
    .optional()
    .describe(`${what} because the rows before it on the page are so large. Request a smaller page.`);
}

/** One to 20 of these words in a query, separated by commas: rows with any of them match. */
export function queryWords(words: readonly string[]) {
  const word = `(?:${words.join('|').replaceAll('.', '\\.')})`;
  return z.string().regex(new RegExp(`^${word}(?:,${word}){0,19}$`), {
    error: `must be one or more of ${words.join(', ')}, separated by commas`,
  });
}

/** The words that `queryWords` has validated. */
export function wordsOf<Word extends string>(text: string | undefined): Word[] | undefined {
  return text?.split(',') as Word[] | undefined;
}

export const order = z.enum(['asc', 'desc']).default('desc');

/** Why a caller does what the request says. */
/** Which part of the limit of its task type holds a job back. */
/** Where connectors run the work of a job on Temporal. */
export const execution = z
  .strictObject({ namespace: z.string(), workflowID: z.string(), runID: z.string() })
  .meta({ id: 'BpmnJobExecution' });

export const heldBy = z.enum(['CONCURRENCY', 'RATE']);

/** The listener of a node that a job belongs to. */
export const jobListener = z
  .strictObject({
    kind: z.enum(['EXECUTION', 'TASK']),
    eventType: z
      .enum(['start', 'end', 'creating', 'assigning', 'updating', 'completing', 'canceling'])
      .describe('`start` and `end` of an execution listener, the others of a task listener.'),
  })
  .meta({ id: 'BpmnJobListener' });

/** When listeners of a user task run. */
export const taskListenerEvent = z.enum(['creating', 'assigning', 'updating', 'completing', 'canceling']);

export const reason = z.string().max(1000).optional();

/** The query of operations that delete something. */
export const reasonQuery = z.strictObject({ reason });
