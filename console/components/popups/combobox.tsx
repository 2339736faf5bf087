/** Text fields with suggestions. Suggestions are not filtered here. */
import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
} from '@ariakit/react/combobox';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import styles from './popups.module.css';

interface SuggestionProps {
  children: ReactNode;
  /** Shown below, in small letters. */
  hint?: ReactNode;
  onChoose(): void;
}

/** The text of the field does not change; its owner decides what a choice does. */
export function Suggestion({ children, hint, onChoose }: SuggestionProps) {
  return (
    <ComboboxItem className={styles.item} focusOnHover hideOnClick={false} setValueOnClick={false} onClick={onChoose}>
      <span className={styles.text}>
        <span>{children}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </ComboboxItem>
  );
}

interface ComboboxProps {
  label: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
  /** `Suggestion`s. */
  children: ReactNode;
}

/** A search field. Its suggestions are below it while it has a text and the focus. Enter chooses the first one. */
export function SearchCombobox({ label, placeholder, text, onText, children }: ComboboxProps) {
  const [hasFocus, setHasFocus] = useState(false);
  const isOpen = hasFocus && text !== '';
  return (
    <ComboboxProvider open={isOpen} value={text} setValue={onText} resetValueOnHide={false}>
      <span
        className={styles.searching}
        onFocus={() => setHasFocus(true)}
        onBlur={({ currentTarget, relatedTarget }) => setHasFocus(currentTarget.contains(relatedTarget))}
        onKeyDown={({ key }) => key === 'Escape' && onText('')}
      >
        <Icon name="search" />
        <Combobox
          className={styles.input}
          aria-label={label}
          placeholder={placeholder}
          autoSelect="always"
          spellCheck={false}
        />
        <ComboboxList className={classes(isOpen && styles.popup, styles.menu, styles.below)} aria-label={label}>
          {isOpen && children}
        </ComboboxList>
      </span>
    </ComboboxProvider>
  );
}

/** A field with its suggestions below it, for a popover. */
export function ListCombobox({ label, placeholder, text, onText, children }: ComboboxProps) {
  return (
    <ComboboxProvider open value={text} setValue={onText} resetValueOnHide={false}>
      <Combobox className={styles.input} aria-label={label} placeholder={placeholder} autoSelect spellCheck={false} />
      <ComboboxList alwaysVisible className={styles.list} aria-label={label}>
        {children}
      </ComboboxList>
    </ComboboxProvider>
  );
}

/** The field and the list of a command palette, one above the other. Enter chooses the first item. */
export function CommandCombobox({
  label,
  placeholder,
  text,
  onText,
  beside,
  children,
}: ComboboxProps & { /** To the right of the field. */ beside: ReactNode }) {
  return (
    <ComboboxProvider open value={text} setValue={onText} resetValueOnHide={false} focusLoop>
      <div className={styles.command}>
        <Icon name="search" />
        <Combobox
          className={styles.commandInput}
          aria-label={label}
          placeholder={placeholder}
          autoSelect="always"
          autoFocus
          maxLength={200}
          spellCheck={false}
        />
        {beside}
      </div>
      <ComboboxList alwaysVisible className={styles.commands} aria-label={label}>
        {children}
      </ComboboxList>
    </ComboboxProvider>
  );
}

export function CommandGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ComboboxGroup>
      <ComboboxGroupLabel className={styles.commandGroupLabel}>{label}</ComboboxGroupLabel>
      {children}
    </ComboboxGroup>
  );
}

export function CommandItem({ icon, children, hint, onChoose }: SuggestionProps & { icon: ReactNode }) {
  return (
    <ComboboxItem
      className={classes(styles.item, styles.commandItem)}
      focusOnHover
      hideOnClick={false}
      setValueOnClick={false}
      onClick={onChoose}
    >
      {icon}
      <span>{children}</span>
      {hint && <span className={styles.aside}>{hint}</span>}
    </ComboboxItem>
  );
}
