/** Schemas that many operations share: ids, times, query parameters, pages. */
import { z } from 'zod';

/** The rule of every id in a path. ASCII only, so that no two spellings of one id exist. */
export const identifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}$/);

/** An id that our own database made. Anything else is not an id of ours: 404 before Postgres sees it. */
export const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);

/**
 * An id that a modeler wrote into a BPMN or DMN file: an XML NCName. It may begin with an underscore (the files of
 * many tools do), which path ids of our own may not.
 */
export const modelIdentifier = z.string().max(255).regex(/^[\p{L}_][\p{L}\p{M}\p{N}_.·-]*$/u);

/** RFC 3339 with a zone, in answers. */
export const timestamp = z.iso.datetime({ offset: true });

/**
 * RFC 3339 with a zone, in requests; the handler gets it in UTC with milliseconds. Postgres refuses some of what
 * RFC 3339 allows (the year 0, zones beyond 15 hours), so only the instant is passed on.
 */
export const givenTimestamp = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => new Date(text).getUTCFullYear() >= 1 && new Date(text).getUTCFullYear() <= 9999, {
    error: 'expected a year from 1 to 9999',
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString());

/** At most 255 characters: an index on it must stay below the size limit of an index row. */
export const businessId = z.string().max(255);

/** The id of an instance, where a request gives it outside of its path. One that no instance can have is one that none has. */
export const givenWorkflowID = z.string().max(255);

/** The variables of an instance or a scope: any JSON object. The door has read it as storable JSON already. */
export const variables = z.record(z.string(), z.unknown());

/** An integer in a query. `1e3`, ` 5`, `0x10` and the empty string are not integers here. */
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

/** The query of every paginated list: pages count from 1, 20 items unless asked, at most 100. */
export const pageQuery = {
  page: queryInteger({ minimum: 1, maximum: 1_000_000 }).default(1),
  pageSize: queryInteger({ minimum: 1, maximum: 100 }).default(20),
};

export const pagination = z
  .strictObject({ page: z.int(), pageSize: z.int(), total: z.int(), totalPages: z.int() })
  .meta({ id: 'PaginationMetadata' });

/** The answer of a paginated list; `name` is its name in the OpenAPI document. */
export function pageOf<Item extends z.ZodType>(name: string, item: Item) {
  return z.strictObject({ data: z.array(item), pagination }).meta({ id: name });
}
