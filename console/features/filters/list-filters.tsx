/** Fields for the filters of a list. */
import type { FilterDescription, Filterable } from '@perdure/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/basics/button.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { filterOf, isFiltered, noFilter, valid, type Defaults } from './list-filter.js';
import styles from './list-filters.module.css';

interface ListFiltersProps {
  list: Filterable;
  defaults?: Defaults;
  /** Names of the filters to show at first; the others are behind "More filters". All by default. */
  first?: readonly string[];
  /** Fields of the screen next to those of the list. */
  children?: ReactNode;
}

export function ListFilters({ list, defaults = {}, first, children }: ListFiltersProps) {
  const address = useAddress();
  const filter = filterOf(list, address, defaults);
  const [shown, more] = split(list, first);
  const fields = (filters: readonly FilterDescription[]) =>
    filters
      .filter(({ needs }) => needs === undefined || address.get(needs) !== undefined)
      .map((one) => (
        <FilterField
          key={one.name}
          filter={one}
          value={address.get(one.name)}
          standard={defaults[one.name]}
          onChange={(value) => address.set({ [one.name]: value, page: undefined })}
        />
      ));
  return (
    <search className={styles.filters} aria-label="Filters">
      {fields(shown)}
      {children}
      {more.length > 0 && (
        <details className={styles.more} open={more.some(({ name }) => address.get(name) !== undefined)}>
          <summary>More filters</summary>
          <div className={styles.filters}>{fields(more)}</div>
        </details>
      )}
      {isFiltered(filter, defaults) && (
        <Button kind="quiet" icon="close" onClick={() => address.set(noFilter(list))}>
          Clear
        </Button>
      )}
    </search>
  );
}

function split({ filters }: Filterable, first: readonly string[] | undefined) {
  if (first === undefined) return [filters, []] as const;
  const isFirst = ({ name }: FilterDescription) => first.includes(name);
  return [filters.filter(isFirst), filters.filter((filter) => !isFirst(filter))] as const;
}

interface FilterFieldProps {
  filter: FilterDescription;
  value: string | undefined;
  /** The value of a filter that always has one; undefined if the filter is optional. */
  standard: string | undefined;
  onChange(value: string): void;
}

function FilterField({ filter, value, standard, onChange }: FilterFieldProps) {
  const { label, kind, values, minLength } = filter;
  if (kind === 'time') return <InstantField label={label} value={value} onChange={onChange} />;
  if (values === undefined)
    return (
      <DebouncedText
        label={label}
        placeholder={minLength === undefined ? undefined : `At least ${minLength} characters`}
        value={value}
        onSettle={onChange}
      />
    );
  const chosen = valid(filter, value);
  return (
    <SelectField
      label={label}
      value={chosen ?? standard ?? ''}
      onChange={({ target }) => onChange(target.value === standard ? '' : target.value)}
    >
      {/* Without the filter, a list leaves out the rows that its only value selects. */}
      {standard === undefined && <option value="">{values.length === 1 ? 'Left out' : 'Any'}</option>}
      {chosen?.includes(',') && <option value={chosen}>{labelOf(chosen, values)}</option>}
      {values.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </SelectField>
  );
}

/** The label of several values, which the address separates by commas. */
function labelOf(value: string, values: NonNullable<FilterDescription['values']>): string {
  return value
    .split(',')
    .map((word) => values.find((one) => one.value === word)?.label ?? word)
    .join(', ');
}
