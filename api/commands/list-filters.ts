/** Derives the schemas of the query and of the JSON form, and the description, from the declared filters of a list. */
import { z } from 'zod';
import type {
  FilterKind,
  FilterLabels,
  FilterValueOf,
  FilterValues,
  ListFilter,
  ListFilters,
} from '../../store/lists/filters.js';
import type { FilterDescription, ListDescription, SlowOrder } from '../contract/list-description.js';
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
/** The index of substrings has parts of three characters. */
const MIN_SUBSTRING = 3;
/** Shorter ones would match instances of all projects, of which the filter reads each. */
const MIN_ID_PREFIX = 4;

interface Derived {
  readonly values?: FilterLabels;
}

const wordsIn = ({ values = {} }: Derived) => Object.keys(values) as [string, ...string[]];

const text = z.string().min(1).max(255);

/** Kinds whose values are spelled the same in a query and in JSON. */
const scalars = {
  uuid: () => uuid,
  workflowID: () => givenWorkflowID,
  workflowIDPrefix: () =>
    z.string().regex(/^(?:test-)?[0-9a-f]{4}[0-9a-f-]{0,32}$/, {
      error: 'must be at least the first four characters of an instance id, in lower case',
    }),
  modelID: () => modelIdentifier,
  name: () => businessId,
  text: () => text,
  substring: () => z.string().min(MIN_SUBSTRING).max(100),
  hash: () => z.string().regex(/^[0-9a-f]{32}$/),
  time: () => givenTimestamp,
  word: (filter: Derived) => z.enum(wordsIn(filter)),
  key: () => z.string().min(1).max(400),
};

function partsOf(texts: string): string[] {
  return texts.split(',').filter((part) => part !== '');
}

type SchemasOf<Value extends Record<FilterKind, unknown>> = {
  readonly [Kind in FilterKind]: (filter: Derived) => z.ZodType<Value[Kind]>;
};

/** Several values are one text here; `filterOf` separates them. */
type Several = 'words' | 'texts' | 'operationIDs';
type QueryValueOf = Omit<FilterValueOf, Several> & Record<Several, string>;

const inQuery: SchemasOf<QueryValueOf> = {
  ...scalars,
  boolean: () => queryBoolean,
  words: (filter) => queryWords(wordsIn(filter)),
  texts: () =>
    z
      .string()
      .min(1)
      .max(MAX_VALUES * 256)
      .refine((given) => partsOf(given).length <= MAX_VALUES, { error: `must be at most ${MAX_VALUES} values` }),
  operationIDs: () =>
    z.string().regex(/^[A-Za-z]{1,60}(?:,[A-Za-z]{1,60}){0,19}$/, {
      error: 'must be one to 20 names of operations, such as StartBpmnInstance, separated by commas',
    }),
};

const inJson: SchemasOf<FilterValueOf> = {
  ...scalars,
  boolean: () => z.boolean(),
  words: (filter) =>
    z
      .array(z.enum(wordsIn(filter)))
      .min(1)
      .max(MAX_VALUES),
  texts: () => z.array(text).min(1).max(MAX_VALUES),
  operationIDs: () => z.array(text).min(1).max(MAX_VALUES),
};

type Schemas<Filters extends ListFilters, Value extends Record<FilterKind, unknown>> = {
  readonly [Name in keyof Filters]: z.ZodOptional<z.ZodType<Value[Filters[Name]['kind']]>>;
};

function schemasOf<Filters extends ListFilters, Value extends Record<FilterKind, unknown>>(
  filters: Filters,
  schemaOf: SchemasOf<Value>,
): Schemas<Filters, Value> {
  const members = Object.entries(filters).map(([name, filter]) => {
    const schema = schemaOf[filter.kind](filter);
    return [name, (filter.description === undefined ? schema : schema.describe(filter.description)).optional()];
  });
  return Object.fromEntries(members) as Schemas<Filters, Value>;
}

/** The filters as parameters of a query; several values are separated by commas. */
export function queryFilters<Filters extends ListFilters>(filters: Filters): Schemas<Filters, QueryValueOf> {
  return schemasOf(filters, inQuery);
}

export type QueryValues<Filters extends ListFilters> = {
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
  if (kind === 'words' || kind === 'operationIDs') return wordsOf(value as string);
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

/** Each kind of filter in the description of a list. */
const SHAPES: { readonly [Kind in FilterKind]: Omit<FilterDescription, 'name' | 'label'> } = {
  uuid: { kind: 'text' },
  workflowID: { kind: 'text' },
  workflowIDPrefix: { kind: 'text', minLength: MIN_ID_PREFIX },
  modelID: { kind: 'text' },
  name: { kind: 'text' },
  text: { kind: 'text' },
  substring: { kind: 'text', minLength: MIN_SUBSTRING },
  hash: { kind: 'text' },
  key: { kind: 'text' },
  texts: { kind: 'text', several: true },
  operationIDs: { kind: 'text', several: true },
  time: { kind: 'time' },
  boolean: { kind: 'boolean' },
  word: { kind: 'enum' },
  words: { kind: 'enum', several: true },
};

/** The description of a list for user interfaces. */
export function describeList(
  filters: ListFilters,
  {
    sorts = [],
    slow = [],
    hasTests = false,
  }: { sorts?: readonly string[]; slow?: readonly SlowOrder[]; hasTests?: boolean } = {},
): ListDescription {
  const described = Object.entries(filters).map(([name, filter]) => describeFilter(name, filter));
  return { filters: hasTests ? [...described, TESTS] : described, sorts, ...(slow.length > 0 && { slow }) };
}

function describeFilter(
  name: string,
  { kind, label, values, needs }: ListFilter<never> | ListFilter,
): FilterDescription {
  return {
    name,
    label,
    ...SHAPES[kind],
    ...(values && { values: Object.entries(values).map(([value, text]) => ({ value, label: text })) }),
    ...(needs !== undefined && { needs }),
  };
}

const TESTS: FilterDescription = {
  name: 'isTest',
  label: 'Tests of drafts',
  kind: 'boolean',
  values: [{ value: 'true', label: 'Only tests' }],
};
