/** Types of the values that the filters of a list take. */
import type { FilterDescription } from './lists.js';

/** A list, by its filters. */
export interface Filterable {
  readonly filters: readonly FilterDescription[];
}

/** The values of filters as a query takes them; undefined for a filter without a value. */
export type FilterValues<List extends Filterable> = {
  readonly [Filter in List['filters'][number] as Filter['name']]: FilterValue<Filter> | undefined;
};

type FilterValue<Filter extends FilterDescription> = Filter extends { kind: 'boolean' }
  ? boolean
  : Filter extends { kind: 'enum'; several?: never; values: readonly { value: infer Value }[] }
    ? Value
    : string;
