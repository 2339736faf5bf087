/** The content of the filter bar of a list: pressed quick filters, and a chip for each other filter of the address. */
import type { FilterDescription, Filterable } from '@perdure/client';
import { valid } from './list-filter.js';

interface Address {
  /** Undefined for a parameter that the address does not have. */
  get(name: string): string | undefined;
}

/** A value of a filter that one press sets and the next one clears. */
export interface QuickFilter {
  label: string;
  /** Name of the filter. */
  filter: string;
  /** Several values are separated by commas, as in the address. */
  value: string;
}

/** Whether the address has exactly this value, in any order. */
export function isPressed({ filter, value }: QuickFilter, { get }: Address): boolean {
  return sorted(get(filter)) === sorted(value);
}

/** The change of the address for a press. */
export function pressed(quick: QuickFilter, address: Address): Readonly<Record<string, string | undefined>> {
  return { [quick.filter]: isPressed(quick, address) ? undefined : quick.value, page: undefined };
}

/** The filters with a value that no quick filter shows. Ignores values that the API would refuse. */
export function chipsOf(
  { filters }: Filterable,
  address: Address,
  quick: readonly QuickFilter[],
): readonly FilterDescription[] {
  const isQuick = ({ name }: FilterDescription) => quick.some((one) => one.filter === name && isPressed(one, address));
  return filters.filter(
    (filter) => isOffered(filter, address) && valid(filter, address.get(filter.name)) !== undefined && !isQuick(filter),
  );
}

/** The filters that "Add filter" offers: those without a chip. */
export function addable(
  { filters }: Filterable,
  address: Address,
  chips: readonly FilterDescription[],
): readonly FilterDescription[] {
  return filters.filter((filter) => isOffered(filter, address) && !chips.includes(filter));
}

/** The words of a filter with fixed values; undefined for any other. */
export function valueWords({ values }: FilterDescription, text: string): string | undefined {
  if (values === undefined) return undefined;
  const words = text.split(',').map((word) => values.find(({ value }) => value === word)?.label ?? word);
  return words.join(', ');
}

/** The text with a value of several added or removed. Values are in the order of the description. */
export function withValue({ values = [] }: FilterDescription, text: string, value: string, isOn: boolean): string {
  const chosen = new Set(text.split(','));
  if (isOn) chosen.add(value);
  else chosen.delete(value);
  return values
    .map((one) => one.value)
    .filter((one) => chosen.has(one))
    .join(',');
}

/** Some filters have a meaning only together with another one. */
function isOffered({ needs }: FilterDescription, { get }: Address): boolean {
  return needs === undefined || get(needs) !== undefined;
}

function sorted(text: string | undefined): string | undefined {
  return text?.split(',').sort().join(',');
}
