/** The order of a list, in the address. */
import { fastOrders, type ListOrder } from '@perdure/client';
import { sortOf, type Sortable } from './list-order.js';
import type { Address } from './use-address.js';

/** The sorting of a table, which shows and changes the order. */
export function sortingBy<Sort extends string>(
  address: Address,
  list: Sortable<Sort>,
  filter: Readonly<Record<string, unknown>>,
) {
  const { sort, order } = sortOf(address, list, filter);
  const onSort = (by: string, next: ListOrder['order']) =>
    address.set({
      sort: by === list.sorts[0] ? undefined : by,
      order: next === 'desc' ? undefined : next,
      page: undefined,
    });
  return { by: sort, order, offered: fastOrders(list, filter), onSort };
}
