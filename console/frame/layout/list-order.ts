/** The order of a list that the address asks for. */
import { fastOrders, type ListDescription, type ListOrder } from '@perdure/client';

export type Sortable<Sort extends string> = Pick<ListDescription, 'slow'> & {
  readonly sorts: readonly [Sort, ...Sort[]];
};

interface Address {
  /** Undefined for a parameter that the address does not have. */
  get(name: string): string | undefined;
}

/** Ignores what is unknown, or slow with the filter. */
export function sortOf<Sort extends string>(
  { get }: Address,
  list: Sortable<Sort>,
  filter: Readonly<Record<string, unknown>>,
): ListOrder<Sort> {
  const offered = fastOrders(list, filter);
  const sort = list.sorts.find((known) => known === get('sort')) ?? list.sorts[0];
  const order = get('order') === 'asc' ? 'asc' : 'desc';
  return offered.find((one) => one.sort === sort && one.order === order) ?? offered[0];
}
