/** Turns a page of rows into the response of a paginated list. */
import type { Page, PageRequest } from '../../store/sql/page.js';

export interface PageResponse<Item> {
  data: Item[];
  pagination: {
    page: number;
    pageSize: number;
    total: number;
    totalPages: number;
    isTotalEstimate?: true;
  };
}

export function pageResponse<Row, Item>(
  { page, pageSize }: PageRequest,
  { data, total, isTotalEstimate }: Page<Row>,
  toItem: (row: Row) => Item,
): PageResponse<Item> {
  const pagination = { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
  return { data: data.map(toItem), pagination: { ...pagination, ...(isTotalEstimate && { isTotalEstimate }) } };
}
