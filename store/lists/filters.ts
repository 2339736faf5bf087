/**
 * Declarations of the filters of a list. The query of the list, its JSON form, and its SQL follow from them: the API
 * derives schemas from the kind of each value, and `conditionsOf` the conditions.
 */
import { rows, type Queryable } from '../sql/database.js';
import { Filter } from '../sql/page.js';

/** Kinds of filters, with the values that their conditions get. */
export interface FilterValueOf {
  uuid: string;
  workflowID: string;
  /** An id that a modeler wrote. */
  modelID: string;
  /** Up to 255 characters, none included. */
  businessID: string;
  /** 1 to 255 characters. */
  text: string;
  /** 3 to 100 characters, for a substring. */
  substring: string;
  hash: string;
  /** RFC 3339. */
  time: string;
  boolean: boolean;
  /** One of a few words. */
  word: string;
  /** Some of a few words. */
  words: readonly string[];
  texts: readonly string[];
}

export type FilterKind = keyof FilterValueOf;

export interface ListFilter<Kind extends FilterKind = FilterKind> {
  readonly kind: Kind;
  /** The values that a `word` and `words` can have. */
  readonly words: readonly string[];
  /** For a condition that Postgres can plan well only if it knows the ids that a value stands for. */
  readonly ids?: { readonly query: string; readonly column: string };
  /** Another filter of the list without which this one means nothing. */
  readonly needs?: string;
  where(conditions: Filter, value: FilterValueOf[Kind], all: Readonly<Record<string, unknown>>): void;
}

// A method, so that a filter of one kind is a filter.
export type ListFilters = Readonly<Record<string, ListFilter<never> | ListFilter>>;

/** Values for the filters of a list; those that are absent match everything. */
export type FilterValues<Filters extends ListFilters> = {
  readonly [Name in keyof Filters]?: FilterValueOf[Filters[Name]['kind']] | undefined;
};

/** @param condition `?` represents the value */
export function filterBy<Kind extends Exclude<FilterKind, 'boolean' | 'word' | 'words'>>(
  kind: Kind,
  condition: string,
): ListFilter<Kind> {
  return { kind, words: [], where: (conditions, value) => void conditions.where(condition, value) };
}

export function filterByTruth(whenTrue: string, whenFalse: string): ListFilter<'boolean'> {
  return {
    kind: 'boolean',
    words: [],
    where: (conditions, value) => void conditions.whereTrue(value ? whenTrue : whenFalse),
  };
}

/** @param words the words, with the condition for each */
export function filterByWord(words: Readonly<Record<string, string>>): ListFilter<'word'> {
  return {
    kind: 'word',
    words: Object.keys(words),
    where: (conditions, value) => void conditions.whereTrue(words[value]!),
  };
}

/** The words become part of the statement, so that partial indexes apply. */
export function filterByWords(column: string, words: readonly string[]): ListFilter<'words'> {
  return {
    kind: 'words',
    words,
    where(conditions, values) {
      const known = [...new Set(values)].filter((value) => words.includes(value)).toSorted();
      conditions.whereTrue(
        known.length === 0 ? 'false' : `${column} IN (${known.map((word) => `'${word}'`).join(', ')})`,
      );
    },
  };
}

/** @param column the version of the process, a UUID */
export function filterByProcess(column: string): ListFilter<'modelID'> {
  const versions = (process: string) => `SELECT id FROM definitions WHERE project_id = $1 AND process_id = ${process}`;
  return {
    ...filterBy('modelID', `${column} = ANY(ARRAY(${versions('?')}))`),
    ids: { query: versions('$2'), column },
  };
}

/** Case-sensitive. @param column with an index for `LIKE` */
export function filterByPrefix(column: string): ListFilter<'text'> {
  return {
    kind: 'text',
    words: [],
    where: (conditions, value) => void conditions.where(`${column} LIKE ?`, `${withoutWildcards(value)}%`),
  };
}

/** Ignores case. @param column with an index of the trigrams of its lower-case text */
export function filterBySubstring(column: string): ListFilter<'substring'> {
  return {
    kind: 'substring',
    words: [],
    where: (conditions, value) =>
      void conditions.where(`lower(${column}) LIKE lower(?)`, `%${withoutWildcards(value)}%`),
  };
}

function withoutWildcards(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * The conditions for rows of a project. The project is the first value, so conditions can refer to it as `$1`.
 * @param projectColumn the column of the list's table that names the project
 */
export function conditionsOf<Filters extends ListFilters>(
  filters: Filters,
  projectColumn: string,
  projectID: string,
  values: FilterValues<Filters>,
): Filter {
  const conditions = new Filter().where(`${projectColumn} = ?`, projectID);
  for (const [name, filter] of Object.entries(filters)) {
    const value = values[name];
    if (value !== undefined) filter.where(conditions, value as never, values);
  }
  return conditions;
}

/** The same conditions for lists: with the ids that values stand for, which take one more query. */
export async function plannedConditionsOf<Filters extends ListFilters>(
  database: Queryable,
  filters: Filters,
  projectColumn: string,
  projectID: string,
  values: FilterValues<Filters>,
): Promise<Filter> {
  const known = Object.entries(filters).filter(([name, { ids }]) => ids !== undefined && values[name] !== undefined);
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !known.some(([one]) => one === name)));
  const conditions = conditionsOf(others, projectColumn, projectID, values as FilterValues<typeof others>);
  for (const [name, { ids }] of known) {
    const found = await rows<{ id: string }>(database, ids!.query, [projectID, values[name]]);
    conditions.whereAny(
      ids!.column,
      found.map(({ id }) => id),
    );
  }
  return conditions;
}
