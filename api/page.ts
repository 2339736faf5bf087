/** From a page of rows to the answer of a paginated list. */

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

export interface PageAnswer<Item> {
  data: Item[];
  pagination: { page: number; pageSize: number; total: number; totalPages: number };
}

/** @param total how many rows there are on all pages together */
export function pageAnswer<Row, Item>(
  { page, pageSize }: PageRequest,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  toItem: (row: Row) => Item,
): PageAnswer<Item> {
  return { data: rows.map(toItem), pagination: { page, pageSize, total, totalPages: Math.ceil(total / pageSize) } };
}
