/** The order that `--sort` and `--order` ask for. */
import { fastOrders, type ListDescription, type ListOrder, type SlowOrder } from '@perdure/client';
import type { Invocation } from '../command.js';
import { oneOf } from '../values.js';
import { WrongUse } from '../wrong-use.js';
import { optionName } from './filters.js';

export const orders = ['asc', 'desc'] as const;

/**
 * The given order, or the default one that is fast with the filters.
 *
 * @param filter values by the names of the filters; undefined for a filter without a value
 * @throws WrongUse if the given order would take long in a large list
 */
export function orderQuery<Sort extends string>(
  list: Pick<ListDescription, 'slow'> & { readonly sorts: readonly [Sort, ...Sort[]] },
  invocation: Invocation,
  filter: Readonly<Record<string, unknown>>,
): ListOrder<Sort> {
  const offered = fastOrders(list, filter);
  const [sort, order] = [oneOf(invocation, 'sort', list.sorts), oneOf(invocation, 'order', orders)];
  if (sort === undefined && order === undefined) return offered[0];
  const asked = { sort: sort ?? list.sorts[0], order: order ?? 'desc' } as const;
  const isOffered = offered.some((one) => one.sort === asked.sort && one.order === asked.order);
  if (isOffered) return asked;
  const reasons = (list.slow ?? [])
    .filter((one) => one.sort === asked.sort && one.order === asked.order)
    .flatMap((one) => reasonsOf(one, filter));
  throw new WrongUse(
    `--sort ${asked.sort} --order ${asked.order} takes long in a large list ${reasons.join(', ')}. ` +
      `Use ${offered.map((one) => `--sort ${one.sort} --order ${one.order}`).join(', or ')}`,
  );
}

function reasonsOf({ filters, without }: SlowOrder, filter: Readonly<Record<string, unknown>>): string[] {
  const given = filters.filter((name) => filter[name] !== undefined).map((name) => `--${optionName(name)}`);
  if (given.length > 0) return [`with ${given.join(', ')}`];
  return without === undefined ? [] : [`without --${optionName(without.filter)} ${without.value}`];
}
