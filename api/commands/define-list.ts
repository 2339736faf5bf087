/**
 * The declaration of a list, from the filters that the store declares: `defineList({...}).rows({ page, all, toItem })` for
 * a list with several orders that can also be read whole, as a stream of JSON lines, and `definePages({...}).rows(...)`
 * for a list in one order.
 */
import { z } from 'zod';
import type { FilterValues, ListFilters } from '../../store/lists/filters.js';
import type { SlowOrder } from '../../store/lists/list.js';
import type { Order, Page, PageRequest } from '../../store/sql/page.js';
import type { Caller } from '../access/caller.js';
import { defineOperation } from './define-operation.js';
import type { HandlerInput, Operation } from './operation.js';
import type { OperationDeclaration, ParameterName, PathFor } from '../contract/operation.js';
import { isTest, order, pageQuery } from '../contract/schemas.js';
import type { ProjectRole } from '../contract/roles.js';
import { describeList, filterOf, meaningful, queryFilters } from './list-filters.js';
import { pageResponse, type PageResponse } from './page.js';
import { orTooBroad } from './too-broad.js';

/** Of a project, or of all projects. */
type ListRole = ProjectRole | 'system-admin';

type ListPath = `/${string}`;

type PagesDeclaration<
  Role extends ListRole,
  Path extends PathFor<Role>,
  Filters extends ListFilters,
  Item extends z.ZodType,
> = Pick<
  OperationDeclaration<Role, Path, undefined, undefined, never, never>,
  'operationID' | 'path' | 'role' | 'summary' | 'description'
> & {
  readonly filters: Filters;
  /** Whether the list can have rows of tests of drafts, which are left out unless the query asks for them. */
  readonly hasTests?: true;
  readonly item: Item;
  readonly page: z.ZodType<PageResponse<z.output<Item>>>;
};

type ListDeclaration<
  Role extends ListRole,
  Path extends PathFor<Role>,
  Filters extends ListFilters,
  Sort extends string,
  Item extends z.ZodType,
> = PagesDeclaration<Role, Path, Filters, Item> & {
  /** Members to sort by; the first is the time of creation, the default. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly slow?: readonly SlowOrder[];
};

type ListInput<Path extends ListPath> = HandlerInput<
  { readonly [Name in ParameterName<Path>]: string },
  unknown,
  undefined,
  Caller
>;

/** How the pages of a list are read. `filter`: the filters of the query, as the store reads them. */
interface PageRows<Path extends ListPath, Filters extends ListFilters, Request, Row, Item> {
  page(input: ListInput<Path>, request: Request, filter: FilterValues<Filters>): Promise<Page<Row>>;
  /** @param input for what only some readers see */
  toItem(row: Row, input: ListInput<Path>): Item;
}

/** How the rows of a list are read. */
interface ListRows<Path extends ListPath, Filters extends ListFilters, Sort extends string, Row, Item> extends PageRows<
  Path,
  Filters,
  PageRequest & { readonly sort: Sort; readonly order: Order },
  Row,
  Item
> {
  /** Every row, in the order of creation. */
  all(input: ListInput<Path>, order: Order, filter: FilterValues<Filters>): AsyncIterable<Row>;
}

export function defineList<
  const Role extends ListRole,
  const Path extends PathFor<Role>,
  const Sort extends string,
  Filters extends ListFilters,
  Item extends z.ZodType,
>({
  filters,
  hasTests,
  sorts,
  slow = [],
  item,
  page,
  ...declaration
}: ListDeclaration<Role, Path, Filters, Sort, Item>): {
  rows<Row>(rows: ListRows<Path, Filters, Sort, Row, z.output<Item>>): Operation;
} {
  const parameters = parametersOf(filters, hasTests);
  const sort = z.enum(sorts).default(sorts[0] as never);
  const operation = defineOperation({
    ...declaration,
    method: 'GET',
    request: { query: meaningful(filters, z.strictObject({ ...parameters, sort, order, ...pageQuery })) },
    responses: { 200: { description: 'Page of the list', schema: page } },
    problems: [],
    list: describeList(filters, { sorts, slow, hasTests: hasTests === true }),
    lines: { query: meaningful(filters, z.strictObject({ ...parameters, order })), item },
  });
  return {
    rows: ({ page: readPage, all, toItem }) =>
      // TypeScript does not derive the input of a path and a query that are generic.
      operation.handle(
        ((given: Given<Path, PageRequest & { sort: Sort; order: Order }>) =>
          orTooBroad({ filters, sorts }, { ...given.query }, async () => ({
            status: 200,
            body: pageResponse(
              given.query,
              await readPage(given, given.query, filterOf(filters, given.query as never)),
              (row) => toItem(row, given),
            ),
          }))) as never,
        {
          async *readLines(given) {
            const input = given as unknown as Given<Path, { order: Order }>;
            const filter = filterOf(filters, input.query as never);
            for await (const row of all(input, input.query.order, filter)) yield toItem(row, input);
          },
        },
      ),
  };
}

/** A list in one order, by page only. */
export function definePages<
  const Role extends ListRole,
  const Path extends PathFor<Role>,
  Filters extends ListFilters,
  Item extends z.ZodType,
>({
  filters,
  hasTests,
  item: _item,
  page,
  ...declaration
}: PagesDeclaration<Role, Path, Filters, Item>): {
  rows<Row>(rows: PageRows<Path, Filters, PageRequest, Row, z.output<Item>>): Operation;
} {
  const operation = defineOperation({
    ...declaration,
    method: 'GET',
    request: { query: meaningful(filters, z.strictObject({ ...parametersOf(filters, hasTests), ...pageQuery })) },
    responses: { 200: { description: 'Page of the list', schema: page } },
    problems: [],
    list: describeList(filters, { hasTests: hasTests === true }),
  });
  return {
    rows: ({ page: readPage, toItem }) =>
      operation.handle(((given: Given<Path, PageRequest>) =>
        orTooBroad({ filters }, { ...given.query }, async () => ({
          status: 200,
          body: pageResponse(
            given.query,
            await readPage(given, given.query, filterOf(filters, given.query as never)),
            (row) => toItem(row, given),
          ),
        }))) as never),
  };
}

function parametersOf<Filters extends ListFilters>(filters: Filters, hasTests: true | undefined) {
  return { ...queryFilters(filters), ...(hasTests && { isTest }) };
}

type Given<Path extends ListPath, Query> = HandlerInput<
  { readonly [Name in ParameterName<Path>]: string },
  Query,
  undefined,
  Caller
>;
