/** The filters of a list as quick filters and chips. The address has their values. */
import type { FilterDescription, Filterable } from '@perdure/client';
import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Button, IconButton } from '../../components/basics/button.js';
import { classes } from '../../components/basics/classes.js';
import { Icon } from '../../components/basics/icon.js';
import { ActionMenu } from '../../components/popups/menu.js';
import { Popover } from '../../components/popups/popover.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { addable, chipsOf, isPressed, pressed, valueWords, type QuickFilter } from './chips.js';
import { FilterEditor, type EditorProps } from './filter-editor.js';
import { filterOf, isFiltered, noFilter } from './list-filter.js';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  list: Filterable;
  quick: readonly QuickFilter[];
  /** Editors of filters that have a better one than the default, by the names of the filters. */
  editors?: Readonly<Record<string, ComponentType<EditorProps>>>;
  /** The search field of the list. */
  search: ReactNode;
  /** To the right of the filters. */
  children?: ReactNode;
}

export function FilterBar({ list, quick, editors = {}, search, children }: FilterBarProps) {
  const address = useAddress();
  const [edited, setEdited] = useState<string>();
  const add = useRef<HTMLSpanElement>(null);
  const set = chipsOf(list, address, quick);
  // A filter without a value has a chip while it is edited.
  const chips = list.filters.filter((filter) => set.includes(filter) || filter.name === edited);
  return (
    <search className={styles.bar} aria-label="Filters">
      <div className={styles.line}>
        <div className={styles.search}>{search}</div>
        <span ref={add}>
          <ActionMenu
            label="Add filter"
            icon="plus"
            actions={addable(list, address, chips).map(({ name, label }) => ({ key: name, label }))}
            onChoose={setEdited}
          />
        </span>
        <div className={styles.views}>{children}</div>
      </div>
      <div className={styles.line}>
        {quick.map((one) => (
          <QuickButton key={one.label} quick={one} />
        ))}
        {chips.map((filter) => (
          <Chip
            key={filter.name}
            filter={filter}
            Editor={editors[filter.name] ?? FilterEditor}
            isOpen={filter.name === edited}
            onOpenChange={(isOpen) =>
              setEdited((now) => (isOpen ? filter.name : now === filter.name ? undefined : now))
            }
            onRemove={() => {
              address.set({ [filter.name]: undefined, page: undefined });
              add.current?.querySelector('button')?.focus();
            }}
          />
        ))}
        {isFiltered(filterOf(list, address)) && (
          <Button kind="quiet" icon="close" onClick={() => address.set(noFilter(list))}>
            Clear
          </Button>
        )}
      </div>
    </search>
  );
}

function QuickButton({ quick }: { quick: QuickFilter }) {
  const address = useAddress();
  const isOn = isPressed(quick, address);
  return (
    <button
      type="button"
      className={classes(styles.quick, isOn && styles.on)}
      aria-pressed={isOn}
      onClick={() => address.set(pressed(quick, address))}
    >
      {isOn && <Icon name="check" size={12} />}
      {quick.label}
    </button>
  );
}

interface ChipProps {
  filter: FilterDescription;
  Editor: ComponentType<EditorProps>;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  onRemove(): void;
}

function Chip({ filter, Editor, isOpen, onOpenChange, onRemove }: ChipProps) {
  const address = useAddress();
  const value = address.get(filter.name) ?? '';
  return (
    <span className={styles.chip}>
      <Popover
        label={filter.label}
        button={(target) => (
          <button type="button" className={styles.chipText} {...target}>
            {filter.label}: <strong>{shownValue(filter, value)}</strong>
          </button>
        )}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
      >
        <Editor
          filter={filter}
          value={value}
          onChange={(next) => address.set({ [filter.name]: next, page: undefined })}
          onDone={() => onOpenChange(false)}
        />
      </Popover>
      <IconButton icon="close" label={`Remove filter: ${filter.label}`} className={styles.remove} onClick={onRemove} />
    </span>
  );
}

function shownValue(filter: FilterDescription, value: string): string {
  if (value === '') return '…';
  const time = filter.kind === 'time' ? new Date(value) : undefined;
  // Users also type addresses, so it can be any text.
  if (time && !Number.isNaN(time.getTime()))
    return time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  return valueWords(filter, value) ?? value;
}
