/** Shared by the commands that list one page. */
import type { Schemas } from '@perdure/client';
import type { Invocation, Option } from '../command.js';
import { wholeNumber } from '../values.js';
import { counted, show, table, type Terminal } from '../terminal.js';

export const pageOptions = {
  page: { type: 'string', value: 'NUMBER', help: 'page number, from 1' },
  'page-size': { type: 'string', value: 'NUMBER', help: 'items per page, 1 to 100 (default 20)' },
} as const satisfies { [name: string]: Option };

export interface PageQuery {
  page: number | undefined;
  pageSize: number | undefined;
}

/** @throws WrongUse when an option is out of range */
export function pageQuery(invocation: Invocation): PageQuery {
  return {
    page: wholeNumber(invocation, 'page', 1, 999_999_999),
    pageSize: wholeNumber(invocation, 'page-size', 1, 100),
  };
}

export interface Page<Item> {
  data: readonly Item[];
  pagination: Schemas['PaginationMetadata'];
}

export type Cell = string | number | undefined;

/** Shows one page as a table and a last line with the total. */
export function showPage<Item>(
  terminal: Terminal,
  answer: Page<Item>,
  noun: string,
  columns: { readonly [head: string]: (item: Item) => Cell },
): void {
  const { page, totalPages, total, isTotalEstimate } = answer.pagination;
  show(terminal, answer, () => [
    ...table(
      Object.keys(columns),
      answer.data.map((item) => Object.values(columns).map((cell) => cell(item))),
    ),
    `${isTotalEstimate ? 'about ' : ''}${counted(total, noun)}, page ${page} of ${Math.max(totalPages, 1)}`,
  ]);
}

/** The first item over all pages that matches; or undefined. */
export async function findInPages<Item>(
  readPage: (query: { page: number; pageSize: number }) => Promise<Page<Item>>,
  matches: (item: Item) => boolean,
): Promise<Item | undefined> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await readPage({ page, pageSize: 100 });
    const found = data.find(matches);
    if (found !== undefined || page >= pagination.totalPages) return found;
  }
}
