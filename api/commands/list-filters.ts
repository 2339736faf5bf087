/** Schemas for the filters of a list, derived from their declaration: of the query, and of the JSON form. */
import { z } from 'zod';
import type { FilterKind, FilterValueOf, FilterValues, ListFilters } from '../../store/lists/filters.js';
import {
  businessId,
  givenTimestamp,
  givenWorkflowID,
  modelIdentifier,
  queryBoolean,
  queryWords,
  uuid,
  wordsOf,
} from '../contract/schemas.js';

/** The most values that a filter takes. */
const MAX_VALUES = 20;

interface Derived {
  readonly words: readonly string[];
}

const text = z.string().min(1).max(255);

/** Kinds whose values are spelled the same in a query and in JSON. */
const scalars = {
  uuid: () => uuid,
  workflowID: () => givenWorkflowID,
  modelID: () => modelIdentifier,
  businessID: () => businessId,
  text: () => text,
  substring: () => z.string().min(3).max(100),
  hash: () => z.string().regex(/^[0-9a-f]{32}$/),
  time: () => givenTimestamp,
  word: ({ words }: Derived) => z.enum(words as [string, ...string[]]),
};

function partsOf(texts: string): string[] {
  return texts.split(',').filter((part) => part !== '');
}

type SchemasOf<Value extends Record<FilterKind, unknown>> = {
  readonly [Kind in FilterKind]: (filter: Derived) => z.ZodType<Value[Kind]>;
};

/** Several values are one text here; `filterOf` separates them. */
type QueryValueOf = Omit<FilterValueOf, 'words' | 'texts'> & { words: string; texts: string };

const inQuery: SchemasOf<QueryValueOf> = {
  ...scalars,
  boolean: () => queryBoolean,
  words: ({ words }) => queryWords(words),
  texts: () =>
    z
      .string()
      .min(1)
      .max(MAX_VALUES * 256)
      .refine((given) => partsOf(given).length <= MAX_VALUES, { error: `must be at most ${MAX_VALUES} values` }),
};

const inJson: SchemasOf<FilterValueOf> = {
  ...scalars,
  boolean: () => z.boolean(),
  words: ({ words }) =>
    z
      .array(z.enum(words as [string, ...string[]]))
      .min(1)
      .max(MAX_VALUES),
  texts: () => z.array(text).min(1).max(MAX_VALUES),
};

type Schemas<Filters extends ListFilters, Value extends Record<FilterKind, unknown>> = {
  readonly [Name in keyof Filters]: z.ZodOptional<z.ZodType<Value[Filters[Name]['kind']]>>;
};

function schemasOf<Filters extends ListFilters, Value extends Record<FilterKind, unknown>>(
  filters: Filters,
  schemaOf: SchemasOf<Value>,
): Schemas<Filters, Value> {
  const members = Object.entries(filters).map(([name, filter]) => [name, schemaOf[filter.kind](filter).optional()]);
  return Object.fromEntries(members) as Schemas<Filters, Value>;
}

/** The filters as parameters of a query; several values are separated by commas. */
export function queryFilters<Filters extends ListFilters>(filters: Filters): Schemas<Filters, QueryValueOf> {
  return schemasOf(filters, inQuery);
}

type QueryValues<Filters extends ListFilters> = {
  readonly [Name in keyof Filters]?: QueryValueOf[Filters[Name]['kind']] | undefined;
};

/** The filter of the store for the validated query of a request. */
export function filterOf<Filters extends ListFilters>(
  filters: Filters,
  query: QueryValues<Filters>,
): FilterValues<Filters> {
  const given = Object.entries(filters).map(([name, { kind }]) => [name, valueOf(kind, query[name])]);
  return Object.fromEntries(given) as FilterValues<Filters>;
}

function valueOf(kind: FilterKind, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (kind === 'words') return wordsOf(value as string);
  // The whole text is one of the values too, because a value may contain a comma.
  return kind === 'texts' ? [...new Set([value, ...partsOf(value as string)])] : value;
}

/** The filters as a JSON object, with lists instead of commas. */
export function jsonFilters<Filters extends ListFilters>(filters: Filters) {
  return meaningful(filters, z.strictObject(schemasOf(filters, inJson)));
}

/** Refuses a filter that means nothing without another one. */
export function meaningful<Schema extends z.ZodObject>(filters: ListFilters, schema: Schema): Schema {
  return Object.entries(filters).reduce<Schema>((checked, [name, { needs }]) => {
    if (needs === undefined) return checked;
    const isMeaningful = (given: Record<string, unknown>) => given[name] !== true || given[needs] !== undefined;
    return checked.refine(isMeaningful, { error: `needs ${needs}`, path: [name] });
  }, schema);
}
