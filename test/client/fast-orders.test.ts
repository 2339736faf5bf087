import { fastOrders, lists, type ListDescription } from '@perdure/client';
import { expect, it } from 'vitest';
import { sortOf } from '../../console/frame/layout/list-order.js';
import type { Invocation } from '../../packages/cli/command.js';
import { orderQuery } from '../../packages/cli/lists/orders.js';

type Sorted = ListDescription & { readonly sorts: readonly [string, ...string[]] };

const sorted = Object.entries<ListDescription>(lists).filter(
  (entry): entry is [string, Sorted] => entry[1].sorts.length > 0,
);
const declared = sorted.flatMap(([, list]) =>
  (list.slow ?? []).flatMap(({ sort, order, filters }) => filters.map((filter) => ({ list, sort, order, filter }))),
);

function given(options: { [name: string]: string }): Invocation {
  return { option: (name: string) => options[name], flag: () => false } as unknown as Invocation;
}

it('there are orders that take long with a filter, of sorts and filters that the lists have', () => {
  expect(declared.length).toBeGreaterThan(10);
  for (const { list, sort, filter } of declared) {
    expect(list.sorts).toContain(sort);
    expect(list.filters.map(({ name }) => name)).toContain(filter);
  }
});

it('clients offer no order that takes long with the filter, and the console takes none from an address', () => {
  for (const { list, sort, order, filter } of declared) {
    const slow = { sort, order };
    expect(fastOrders(list, { [filter]: 'given' })).not.toContainEqual(slow);
    const address = { get: (name: string) => ({ sort, order })[name] };
    expect(sortOf(address, list, { [filter]: 'given' })).not.toEqual(slow);
    expect(sortOf(address, list, {})).toEqual(slow);
  }
});

it('by due date or priority, clients offer user tasks only if all are open', () => {
  const { ListBpmnUserTasks: tasks } = lists;
  const sortsWith = (filter: object) => new Set(fastOrders<string>(tasks, { ...filter }).map(({ sort }) => sort));
  for (const status of ['CREATED', ['CREATED']]) expect(sortsWith({ status })).toEqual(new Set(tasks.sorts));
  for (const status of [undefined, 'COMPLETED', ['CREATED', 'COMPLETED']])
    expect(sortsWith({ status })).toEqual(new Set(['createdAt', 'completedAt']));
  const byPriority = given({ sort: 'priority' });
  expect(() => orderQuery(tasks, byPriority, {})).toThrow('in a large list without --status CREATED. Use --sort');
  expect(orderQuery(tasks, byPriority, { status: ['CREATED'] })).toEqual({ sort: 'priority', order: 'desc' });
});

it('the command line refuses an order that takes long, with the orders that do not', () => {
  for (const { list, sort, order, filter } of declared) {
    const ask = (values: object) => orderQuery(list, given({ sort, order }), values as Record<string, unknown>);
    expect(() => ask({ [filter]: 'given' })).toThrow(/takes long in a large list with --[a-z-]+\. Use --sort/);
    expect(ask({ [filter]: undefined })).toEqual({ sort, order });
  }
});

it('without a given order, a list has its default order, or else the first one that is fast', () => {
  const { ListBpmnInstances: instances } = lists;
  expect(orderQuery(instances, given({}), {})).toEqual({ sort: 'createdAt', order: 'desc' });
  expect(orderQuery(instances, given({}), { businessIdPrefix: 'order-' })).toEqual({
    sort: 'businessId',
    order: 'desc',
  });
});

it.each(sorted)('each filter of %s leaves an order', (_, list) => {
  const slow = list.slow ?? [];
  for (const { name } of list.filters) {
    const [first] = fastOrders(list, { [name]: 'given' });
    expect(slow.some((one) => one.sort === first.sort && one.order === first.order && one.filters.includes(name))).toBe(
      false,
    );
  }
});
