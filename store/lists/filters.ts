/**
 * Declarations of the filters of a list. Everything else follows from them: the API derives the schemas of the query and
 * of the JSON form from the kind of each value, `conditionsOf` the SQL, and console and CLI their fields and options
 * from the description of the list in the OpenAPI document (`x-list`).
 */
import { isRunnableIn } from '../projects/tests.js';
import { rows, type Queryable } from '../sql/database.js';
import { Filter } from '../sql/page.js';

/** Kinds of filters, with the values that their conditions get. */
export interface FilterValueOf {
  uuid: string;
  workflowID: string;
  /** The first characters of an instance id, at least 4 of the random ones. */
  workflowIDPrefix: string;
  /** An id that a modeler wrote. */
  modelID: string;
  /** A business id, or the name of a message: up to 255 characters, none included. */
  name: string;
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
  /** 1 to 400 characters: any id in the audit log. */
  key: string;
  /** Operation ids, which only the API knows. */
  operationIDs: readonly string[];
}

export type FilterKind = keyof FilterValueOf;

export interface ListFilter<Kind extends FilterKind = FilterKind> {
  readonly kind: Kind;
  /** As user interfaces show it, in sentence case. */
  readonly label: string;
  /** The values that a `word`, `words`, and `boolean` can have, with their labels. */
  readonly values?: FilterLabels;
  /** Details that the label leaves open, for the API document. */
  readonly description?: string;
  readonly known?: KnownIDs<Kind>;
  /** Another filter of the list without which this one means nothing. */
  readonly needs?: string;
  where(conditions: Filter, value: FilterValueOf[Kind], all: Readonly<Record<string, unknown>>): void;
}

/** For a condition whose plan is good only if the statement has the ids that match a value. */
export interface KnownIDs<Kind extends FilterKind> {
  /** The query of the ids, in a column `id`, and its values. */
  find(projectID: string, value: FilterValueOf[Kind]): readonly [text: string, values: readonly unknown[]];
  where(conditions: Filter, ids: readonly string[], value: FilterValueOf[Kind]): void;
}

/** Values of a filter as they are written in a query, and as user interfaces show them. */
export type FilterLabels = Readonly<Record<string, string>>;

// A method, so that a filter of one kind is a filter.
export type ListFilters = Readonly<Record<string, ListFilter<never> | ListFilter>>;

/** Values for the filters of a list; those that are absent match everything. */
export type FilterValues<Filters extends ListFilters> = {
  readonly [Name in keyof Filters]?: FilterValueOf[Filters[Name]['kind']] | undefined;
};

type Scalar = Exclude<FilterKind, 'time' | 'boolean' | 'word' | 'words' | 'texts' | 'operationIDs'>;

/** @param condition `?` represents the value */
export function filterBy<Kind extends Scalar>(kind: Kind, label: string, condition: string): ListFilter<Kind> {
  return { kind, label, where: (conditions, value) => void conditions.where(condition, value) };
}

/** `after` excludes the given time, `from` and `until` include it. */
export type TimeRelation = keyof typeof timeConditions;

const timeConditions = {
  after: (column: string) => `${column} >= ?::timestamptz + interval '1 millisecond'`,
  from: (column: string) => `${column} >= ?::timestamptz`,
  until: (column: string) => `${column} < ?::timestamptz + interval '1 millisecond'`,
};

/**
 * SQL: compares a column with a given time, `?`, in milliseconds. Columns have microseconds, but responses show whole
 * milliseconds, and requests give them. Only the given time is changed, so that indexes on the column apply.
 */
export function timeCondition(column: string, relation: TimeRelation): string {
  return timeConditions[relation](column);
}

/** @param within adds to the condition, in which `?` is the given time */
export function filterByTime(
  label: string,
  column: string,
  relation: TimeRelation,
  within: (condition: string) => string = (condition) => condition,
): ListFilter<'time'> {
  const condition = within(timeCondition(column, relation));
  return { kind: 'time', label, where: (conditions, value) => void conditions.where(condition, value) };
}

/** That the column has one of the texts. */
export function filterByAny<Kind extends 'texts' | 'operationIDs'>(
  kind: Kind,
  label: string,
  column: string,
): ListFilter<Kind> {
  return { kind, label, where: (conditions, values) => void conditions.whereAny(column, values as readonly string[]) };
}

/** The labels of both values, each with its condition. */
export function filterByTruth(
  label: string,
  [labelIfTrue, ifTrue]: readonly [string, string],
  [labelIfFalse, ifFalse]: readonly [string, string],
): ListFilter<'boolean'> {
  return {
    kind: 'boolean',
    label,
    values: { true: labelIfTrue, false: labelIfFalse },
    where: (conditions, value) => void conditions.whereTrue(value ? ifTrue : ifFalse),
  };
}

/** @param words the words, with the condition for each */
export function filterByWord(label: string, words: Readonly<Record<string, string>>): ListFilter<'word'> {
  return {
    kind: 'word',
    label,
    values: labelsOf(Object.keys(words)),
    where: (conditions, value) => void conditions.whereTrue(words[value]!),
  };
}

/** The words become part of the statement, so that partial indexes apply. */
export function filterByWords(label: string, column: string, words: readonly string[]): ListFilter<'words'> {
  return {
    kind: 'words',
    label,
    values: labelsOf(words),
    where(conditions, values) {
      const known = [...new Set(values)].filter((value) => words.includes(value)).toSorted();
      conditions.whereTrue(
        known.length === 0 ? 'false' : `${column} IN (${known.map((word) => `'${word}'`).join(', ')})`,
      );
    },
  };
}

/** `FAILED_AGAIN` becomes "Failed again"; a word of mixed case, such as the name of a type, is its own label. */
function labelsOf(words: readonly string[]): FilterLabels {
  return Object.fromEntries(
    words.map((word) => {
      const isName = word !== word.toUpperCase() && word !== word.toLowerCase();
      return [word, isName ? word : word[0]!.toUpperCase() + word.slice(1).toLowerCase().replaceAll('_', ' ')];
    }),
  );
}

/** The filter, whose condition refers to a joined table. */
export function joined<Kind extends FilterKind>(filter: ListFilter<Kind>): ListFilter<Kind> {
  return {
    ...filter,
    where(conditions, value, all) {
      conditions.usesJoins = true;
      filter.where(conditions, value, all);
    },
  };
}

/** @param column the version of the process, a UUID */
export function filterByProcess(column: string): ListFilter<'modelID'> {
  const versions = (process: string) =>
    `SELECT id FROM definitions WHERE ${isRunnableIn('$1', 'project_id')} AND process_id = ${process}`;
  return {
    ...filterBy('modelID', 'Process id', `${column} = ANY(ARRAY(${versions('?')}))`),
    known: {
      find: (projectID, process) => [versions('$2'), [projectID, process]],
      where: (conditions, ids) => void conditions.whereAny(column, ids),
    },
  };
}

/** Case-sensitive. @param column with an index for `LIKE` */
export function filterByPrefix(label: string, column: string): ListFilter<'text'>;
export function filterByPrefix<Kind extends 'workflowIDPrefix'>(
  label: string,
  column: string,
  kind: Kind,
): ListFilter<Kind>;
export function filterByPrefix(
  label: string,
  column: string,
  kind: 'text' | 'workflowIDPrefix' = 'text',
): ListFilter<'text' | 'workflowIDPrefix'> {
  return {
    kind,
    label,
    where: (conditions, value) => void conditions.where(`${column} LIKE ?`, `${withoutWildcards(value)}%`),
  };
}

/** Ignores case. @param column with an index of the trigrams of its lower-case text */
export function filterBySubstring(label: string, column: string): ListFilter<'substring'> {
  return {
    kind: 'substring',
    label,
    where: (conditions, value) =>
      void conditions.where(`lower(${column}) LIKE lower(?)`, `%${withoutWildcards(value)}%`),
  };
}

function withoutWildcards(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * The conditions for rows of a project. The project is the first value, so conditions can refer to it as `$1`.
 * @param projectColumn the column of the list's table that names the project, or another owner of all rows of a list;
 * undefined for a list of all projects
 */
export function conditionsOf<Filters extends ListFilters>(
  filters: Filters,
  projectColumn: string | undefined,
  projectID: string,
  values: FilterValues<Filters>,
): Filter {
  const conditions = new Filter();
  if (projectColumn !== undefined) conditions.where(`${projectColumn} = ?`, projectID);
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
  projectColumn: string | undefined,
  projectID: string,
  values: FilterValues<Filters>,
): Promise<Filter> {
  const known = Object.entries(filters).filter(([name, filter]) => filter.known && values[name] !== undefined);
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !known.some(([one]) => one === name)));
  const conditions = conditionsOf(others, projectColumn, projectID, values as FilterValues<typeof others>);
  for (const [name, filter] of known) {
    const value = values[name] as never;
    const [text, parameters] = filter.known!.find(projectID, value);
    const found = await rows<{ id: string }>(database, text, [...parameters]);
    filter.known!.where(
      conditions,
      found.map(({ id }) => id),
      value,
    );
  }
  return conditions;
}
