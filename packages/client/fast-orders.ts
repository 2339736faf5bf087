/** The orders of a list that are fast with some filters, however long the list is. */
import type { ListDescription, SlowOrder } from './lists.js';

export interface ListOrder<Sort extends string = string> {
  sort: Sort;
  order: 'asc' | 'desc';
}

type Sortable<Sort extends string> = Pick<ListDescription, 'slow'> & { readonly sorts: readonly [Sort, ...Sort[]] };

/**
 * The default first. A combination of many filters can be slow in every order: the default is left then.
 *
 * @param filter values by the names of the filters; undefined for a filter without a value
 */
export function fastOrders<Sort extends string>(
  { sorts, slow = [] }: Sortable<Sort>,
  filter: Readonly<Record<string, unknown>>,
): readonly [ListOrder<Sort>, ...ListOrder<Sort>[]] {
  const isFast = ({ sort, order }: ListOrder) =>
    !slow.some((one) => one.sort === sort && one.order === order && isSlow(one, filter));
  const all = sorts.flatMap((sort) => [{ sort, order: 'desc' } as const, { sort, order: 'asc' } as const]);
  const [first = { sort: sorts[0], order: 'desc' }, ...others] = all.filter(isFast);
  return [first, ...others];
}

function isSlow({ filters, without }: SlowOrder, filter: Readonly<Record<string, unknown>>): boolean {
  if (filters.some((name) => filter[name] !== undefined)) return true;
  return without !== undefined && [filter[without.filter]].flat().some((value) => value !== without.value);
}
