/** Lists with declared filters and sorts, by page or as a stream of all rows. */
import type { QueryResultRow } from 'pg';
import type { Queryable } from '../sql/database.js';
import {
  countAll,
  listPage,
  offsetOf,
  readRows,
  readCounted,
  type Filter,
  type ListQuery,
  type Order,
  type Page,
  type PageRequest,
  type RowValues,
} from '../sql/page.js';
import { streamChunks, type StreamQuery } from '../sql/stream.js';
import { plannedConditionsOf, type FilterValues, type ListFilters } from './filters.js';

export interface ListSort<Filters extends ListFilters> {
  /** A total order, which an index has. */
  by(direction: Direction, filter: FilterValues<Filters>): string;
  /** For a value that rows can lack: they come last in both orders. */
  missing?: {
    /** The column that is null in rows without a value. */
    column: string;
    /** The order of rows without a value. */
    by(direction: Direction): string;
    /** Rows that match the filter can be with a value, without one, or both. */
    matches(filter: FilterValues<Filters>): 'with' | 'without' | 'both';
  };
  /**
   * Filters that many rows can match at the far end of this order, which reads a large list up to there. Clients do not
   * offer such a filter and this order together.
   */
  slowWith?: { readonly [To in Direction]?: readonly (keyof Filters & string)[] };
  /** The value of a filter that the index of this order needs. With any other, and without one, the whole list is sorted. */
  slowWithout?: { readonly filter: keyof Filters & string; readonly value: string };
}

export type Direction = 'ASC' | 'DESC';

/** An order of a list that takes long in a large list together with some filters, or without the value of one. */
export interface SlowOrder {
  readonly sort: string;
  readonly order: Order;
  readonly filters: readonly string[];
  readonly without?: { readonly filter: string; readonly value: string };
}

/** @template Sort members to sort by */
export interface List<Filters extends ListFilters, Sort extends string> {
  columns: string;
  /** Values of users, which can be large. A page leaves them out of the rows after too many bytes. */
  values?: RowValues;
  table: string;
  /** Joins that neither add nor remove rows. A filter that refers to them is `joined`. */
  joins: string;
  /**
   * The column that names the project, or another owner of all rows of a list, such as a batch. Undefined for a list of all
   * projects, whose conditions cannot refer to the project as `$1`.
   */
  projectColumn: string | undefined;
  /** A condition for all rows of the list. */
  always?: string;
  filters: Filters;
  sorts: Readonly<Record<Sort, ListSort<Filters>>>;
  /** The order of a stream. */
  key: StreamQuery['key'];
}

export function slowOrders<Filters extends ListFilters>({
  sorts,
}: Pick<List<Filters, string>, 'sorts'>): readonly SlowOrder[] {
  return Object.entries(sorts).flatMap(([sort, { slowWith = {}, slowWithout: without }]) =>
    (['ASC', 'DESC'] as const)
      .map((direction) => ({ direction, filters: slowWith[direction] ?? [] }))
      .filter(({ filters }) => filters.length > 0 || without !== undefined)
      .map(({ direction, filters }) => ({
        sort,
        order: direction === 'ASC' ? ('asc' as const) : ('desc' as const),
        filters,
        ...(without && { without }),
      })),
  );
}

/** A list in one order, by page only. */
export interface FixedList<Filters extends ListFilters> extends Omit<List<Filters, never>, 'sorts' | 'key'> {
  orderBy: string;
}

/** Adds conditions that requests cannot name. */
export type Restriction = (conditions: Filter) => void;

export interface SortedPageRequest<Sort extends string> extends PageRequest {
  /** Default: the first sort of the list, which is the time of creation. */
  sort?: Sort;
  /** Default: `desc`. */
  order?: Order;
}

export async function readPage<Row extends QueryResultRow, Filters extends ListFilters, Sort extends string>(
  database: Queryable,
  list: List<Filters, Sort>,
  projectID: string,
  filter: FilterValues<Filters>,
  page: SortedPageRequest<Sort>,
  restrict?: Restriction,
): Promise<Page<Row>> {
  const direction = page.order === 'asc' ? 'ASC' : 'DESC';
  const { by, missing } = page.sort ? list.sorts[page.sort] : Object.values<ListSort<Filters>>(list.sorts)[0]!;
  const query = { ...list, filter: await conditionsFor(database, list, projectID, filter, restrict) };
  const orderBy = by(direction, filter);
  const matches = missing?.matches(filter);
  if (!missing) return listPage(database, { ...query, orderBy }, page);
  if (matches === 'without') return listPage(database, { ...query, orderBy: missing.by(direction) }, page);
  const withValue = { ...query, orderBy, filter: query.filter.copy().whereTrue(`${missing.column} IS NOT NULL`) };
  if (matches === 'with') return listPage(database, withValue, page);
  const without = {
    ...query,
    orderBy: missing.by(direction),
    filter: query.filter.copy().whereTrue(`${missing.column} IS NULL`),
  };
  return readCounted(database, query, page, (isSmall) =>
    readBoth<Row>(database, { ...withValue, isSmall }, { ...without, isSmall }, page),
  );
}

export async function readFixedPage<Row extends QueryResultRow, Filters extends ListFilters>(
  database: Queryable,
  list: FixedList<Filters>,
  projectID: string,
  filter: FilterValues<Filters>,
  page: PageRequest,
  restrict?: Restriction,
): Promise<Page<Row>> {
  const conditions = await conditionsFor(database, list, projectID, filter, restrict);
  return listPage(database, { ...list, filter: conditions }, page);
}

/** Rows of one query followed by those of another. One statement for both orders could not use an index for either. */
async function readBoth<Row extends QueryResultRow>(
  database: Queryable,
  first: ListQuery,
  second: ListQuery,
  page: PageRequest,
): Promise<Row[]> {
  const offset = offsetOf(page);
  const data = await readRows<Row>(database, first, page.pageSize, offset);
  if (data.length === page.pageSize) return data;
  const before = data.length > 0 || offset === 0 ? offset + data.length : await countAll(database, first);
  const rest = await readRows<Row>(database, second, page.pageSize - data.length, Math.max(0, offset - before));
  return [...data, ...rest];
}

/** All rows that match, in the order of their creation. */
export async function* streamList<Row extends QueryResultRow, Filters extends ListFilters, Sort extends string>(
  database: Queryable,
  list: List<Filters, Sort>,
  projectID: string,
  filter: FilterValues<Filters>,
  order: Order,
  restrict?: Restriction,
): AsyncGenerator<Row> {
  for await (const chunk of streamListChunks<Row, Filters, Sort>(database, list, projectID, filter, order, restrict))
    yield* chunk;
}

/** As `streamList`, by what is read at once. */
export async function* streamListChunks<Row extends QueryResultRow, Filters extends ListFilters, Sort extends string>(
  database: Queryable,
  list: List<Filters, Sort>,
  projectID: string,
  filter: FilterValues<Filters>,
  order: Order,
  restrict?: Restriction,
): AsyncGenerator<Row[]> {
  const conditions = await conditionsFor(database, list, projectID, filter, restrict);
  yield* streamChunks<Row>(database, { ...list, filter: conditions }, order);
}

async function conditionsFor<Filters extends ListFilters>(
  database: Queryable,
  { filters, projectColumn, always }: Pick<List<Filters, never>, 'filters' | 'projectColumn' | 'always'>,
  projectID: string,
  filter: FilterValues<Filters>,
  restrict: Restriction = () => undefined,
): Promise<Filter> {
  const conditions = await plannedConditionsOf(database, filters, projectColumn, projectID, filter);
  if (always !== undefined) conditions.whereTrue(always);
  restrict(conditions);
  return conditions;
}
