/** The response to a list that Postgres cannot read in the time of a statement: it says how to ask for less. */
import type { ListFilters } from '../../store/lists/filters.js';
import { isCanceledStatement } from '../../store/sql/database.js';
import { problem, type Problem } from '../contract/problem.js';

interface List {
  readonly filters: ListFilters;
  /** The first one is the default. */
  readonly sorts?: readonly [string, ...string[]];
}

/** What `read` returns, or the problem if its statement was canceled. */
export async function orTooBroad<Value>(
  list: List,
  query: Readonly<Record<string, unknown>>,
  read: () => Promise<Value>,
): Promise<Value | Problem<'UNAVAILABLE'>> {
  try {
    return await read();
  } catch (error) {
    if (!isCanceledStatement(error)) throw error;
    return tooBroad(list, query);
  }
}

/** Without Retry-After: the same request would end in the same way. */
function tooBroad({ filters, sorts }: List, query: Readonly<Record<string, unknown>>): Problem<'UNAVAILABLE'> {
  const isGiven = (name: string) => query[name] !== undefined;
  const given = Object.keys(filters).filter(isGiven);
  const others = Object.keys(filters).filter((name) => !isGiven(name));
  const times = others.filter((name) => filters[name]!.kind === 'time');
  const narrower = times.length > 0 ? times : others;
  const defaultSort = sorts?.[0];
  const isSorted = defaultSort !== undefined && query['sort'] !== defaultSort;
  const advice = [
    ...(narrower.length > 0
      ? [`add a filter that fewer entries match, such as ${narrower.slice(0, 3).join(', ')}`]
      : []),
    ...(isSorted ? [`sort by ${defaultSort}`] : []),
    ...(Number(query['page']) > 1 ? ['read an earlier page'] : []),
  ];
  const narrowing = advice.length === 0 ? '' : ` To narrow it, ${advice.join(', or ')}.`;
  return problem(
    'UNAVAILABLE',
    `The list took too long with ${given.length === 0 ? 'no filter' : given.join(', ')}${isSorted ? ` and sort=${String(query['sort'])}` : ''}.${narrowing}`,
    { details: { filters: given }, reason: 'the statement of a list was canceled' },
  );
}
