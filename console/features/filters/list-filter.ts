/** Filters of lists, derived from the API's description of the list. The address has their values. */
import type { FilterDescription, Filterable, FilterValues } from '@perdure/client';

interface Address {
  /** Undefined for a parameter that the address does not have. */
  get(name: string): string | undefined;
}

/** Values of filters that the address does not name. */
export type Defaults = Readonly<Record<string, string>>;

/** The list without filters that a screen sets itself, or does not offer. */
export function without<List extends Filterable, Name extends List['filters'][number]['name']>(
  list: List,
  ...names: readonly Name[]
) {
  type Kept = Exclude<List['filters'][number], { name: Name }>;
  const isKept = (filter: List['filters'][number]): filter is Kept => !names.some((name) => name === filter.name);
  return { filters: list.filters.filter(isKept) };
}

/** The filters that the address names. Ignores values that the API would refuse, because users also type addresses. */
export function filterOf<List extends Filterable>(
  list: List,
  { get }: Address,
  defaults: Defaults = {},
): FilterValues<List> {
  const values = list.filters.map((filter) => {
    const isMeaningful = filter.needs === undefined || get(filter.needs) !== undefined;
    const text = isMeaningful ? valid(filter, get(filter.name)) : undefined;
    return [filter.name, valueOf(filter, text ?? defaults[filter.name])];
  });
  return Object.fromEntries(values) as FilterValues<List>;
}

/** Whether any filter has another value than its default. */
export function isFiltered(filter: Readonly<Record<string, unknown>>, defaults: Defaults = {}): boolean {
  return Object.entries(filter).some(([name, value]) => value !== undefined && value !== defaults[name]);
}

/** Address parameters that clear all filters. */
export function noFilter(list: Filterable): Readonly<Record<string, undefined>> {
  return Object.fromEntries([...list.filters.map(({ name }) => [name, undefined]), ['page', undefined]]);
}

/** The filter as the JSON body of a request has it: with arrays where the query has commas. */
export function inJson<List extends Filterable>(list: List, filter: FilterValues<List>): Record<string, unknown> {
  const several = new Set(list.filters.filter((one) => one.several).map(({ name }) => name));
  const members = Object.entries<unknown>(filter).map(([name, value]) => [
    name,
    typeof value === 'string' && several.has(name) ? value.split(',') : value,
  ]);
  return Object.fromEntries(members);
}

/** The text, if the API accepts it as a value of the filter. */
export function valid(
  { kind, values, several, minLength = 0 }: FilterDescription,
  text: string | undefined,
): string | undefined {
  if (text === undefined || text.length < minLength) return undefined;
  if (kind === 'text' || kind === 'time' || values === undefined) return text;
  const words = several ? text.split(',') : [text];
  return words.every((word) => values.some(({ value }) => value === word)) ? text : undefined;
}

function valueOf({ kind }: FilterDescription, text: string | undefined): string | boolean | undefined {
  return kind === 'boolean' && text !== undefined ? text === 'true' : text;
}
