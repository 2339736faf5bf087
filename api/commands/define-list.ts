/**
 * The declaration of a list that pages can be read from, or all of it as a stream of JSON lines:
 * `defineList({...}).rows({ page, all, toItem })`.
 */
import { z } from 'zod';
import type { Order, Page, PageRequest } from '../../store/sql/page.js';
import type { Caller } from '../access/caller.js';
import { defineOperation } from './define-operation.js';
import type { HandlerInput, Operation } from './operation.js';
import type { OperationDeclaration, ParameterName } from '../contract/operation.js';
import { order, pageQuery } from '../contract/schemas.js';
import type { ProjectRole } from '../contract/roles.js';
import { pageResponse, type PageResponse } from './page.js';

type ListPath = `/projects/{projectID}${string}`;

type ListDeclaration<
  Role extends ProjectRole,
  Path extends ListPath,
  Filters extends z.ZodRawShape,
  Sort extends string,
  Item extends z.ZodType,
> = Pick<
  OperationDeclaration<Role, Path, undefined, undefined, never, never>,
  'operationID' | 'path' | 'role' | 'summary' | 'description'
> & {
  /** Query parameters besides those of the page and the order. */
  readonly filters: Filters;
  /** Adds rules about several parameters. */
  readonly refine?: (query: z.ZodObject) => z.ZodObject;
  /** Members to sort by; the first is the time of creation, the default. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly item: Item;
  readonly page: z.ZodType<PageResponse<z.output<Item>>>;
};

type ListInput<Path extends ListPath, Filters extends z.ZodRawShape> = HandlerInput<
  { readonly [Name in ParameterName<Path>]: string },
  z.output<z.ZodObject<Filters>>,
  undefined,
  Caller
>;

/** How the rows of a list are read. */
interface ListRows<Path extends ListPath, Filters extends z.ZodRawShape, Sort extends string, Row, Item> {
  page(
    input: ListInput<Path, Filters>,
    request: PageRequest & { readonly sort: Sort; readonly order: Order },
  ): Promise<Page<Row>>;
  /** Every row, in the order of creation. */
  all(input: ListInput<Path, Filters>, order: Order): AsyncIterable<Row>;
  toItem(row: Row): Item;
}

export function defineList<
  const Role extends ProjectRole,
  const Path extends ListPath,
  const Sort extends string,
  Filters extends z.ZodRawShape,
  Item extends z.ZodType,
>({
  filters,
  refine = (query) => query,
  sorts,
  item,
  page,
  ...declaration
}: ListDeclaration<Role, Path, Filters, Sort, Item>): {
  rows<Row>(rows: ListRows<Path, Filters, Sort, Row, z.output<Item>>): Operation;
} {
  const sort = z.enum(sorts).default(sorts[0] as never);
  const operation = defineOperation({
    ...declaration,
    method: 'GET',
    request: { query: refine(z.strictObject({ ...filters, sort, order, ...pageQuery })) },
    responses: { 200: { description: 'Page of the list', schema: page } },
    problems: [],
    lines: { query: refine(z.strictObject({ ...filters, order })), item },
  });
  return {
    rows: ({ page: readPage, all, toItem }) =>
      // TypeScript does not derive the input of a path and a query that are generic.
      operation.handle(
        (async (input: ListInput<Path, Filters> & { query: PageRequest & { sort: Sort; order: Order } }) => ({
          status: 200,
          body: pageResponse(input.query, await readPage(input, input.query), toItem),
        })) as never,
        async function* (input) {
          const given = input as unknown as ListInput<Path, Filters> & { query: { order: Order } };
          for await (const row of all(given, given.query.order)) yield toItem(row);
        },
      ),
  };
}
