import { useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { classes } from './classes.js';
import styles from './tabs.module.css';

export interface Tab {
  id: string;
  label: string;
  /** Shown next to the label: the number of entries. */
  count?: number | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect(id: string): void;
  /** The content of the selected tab. */
  children: ReactNode;
}

/** Tabs as WAI-ARIA describes them: arrow keys, Home, and End move between them. */
export function Tabs({ label, tabs, selected, onSelect, children }: TabsProps) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ id }) => id === selected);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = (next + tabs.length) % tabs.length;
    onSelect(tabs[target]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };
  return (
    <>
      <div ref={list} className={styles.list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${prefix}panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            className={classes(styles.tab, tab.id === selected && styles.selected)}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        className={styles.panel}
        role="tabpanel"
        id={`${prefix}panel`}
        aria-labelledby={`${prefix}${selected}`}
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}
