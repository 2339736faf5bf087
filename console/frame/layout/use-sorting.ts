/** The order of a list, in the address. */
import type { Address } from './use-address.js';

type Order = 'asc' | 'desc';

/** Ignores unknown sorts. The first sort is the default. */
export function sortOf<Sort extends string>({ get }: Pick<Address, 'get'>, sorts: readonly [Sort, ...Sort[]]) {
  const sort = sorts.find((known) => known === get('sort')) ?? sorts[0];
  const order: Order = get('order') === 'asc' ? 'asc' : 'desc';
  return { sort, order };
}

/** The sorting of a table, which shows and changes the order. */
export function sortingBy<Sort extends string>(address: Address, sorts: readonly [Sort, ...Sort[]]) {
  const { sort, order } = sortOf(address, sorts);
  const onSort = (by: string, next: Order) =>
    address.set({ sort: by === sorts[0] ? undefined : by, order: next === 'desc' ? undefined : next, page: undefined });
  return { by: sort, order, onSort };
}
