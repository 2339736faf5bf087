/** The keyboard shortcuts of the inbox. */
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import styles from './tasks.module.css';

const shortcuts = [
  ['j', 'Next task'],
  ['k', 'Previous task'],
  ['↓ ↑', 'Next and previous task, in the list'],
  ['Enter', 'Open the task'],
  ['e', 'Go to the form of the open task'],
  ['c', 'Claim the task'],
  ['?', 'Show the shortcuts'],
] as const;

/**
 * Keys move the focus between the links of tasks, so Enter opens a task like any link. Next to an open task, they open
 * the task that gets the focus.
 *
 * @param screen with the list, the open task, or both
 */
export function useShortcuts(screen: RefObject<HTMLElement | null>, onHelp: () => void): void {
  useEffect(() => {
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => move(screen.current, 1),
      k: () => move(screen.current, -1),
      c: () => claim(screen.current),
      e: () => edit(screen.current),
      '?': onHelp,
    };
    const act = (event: KeyboardEvent) => {
      const action = isFree(event) ? actions[keyOf(event)] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [screen, onHelp]);
}

/** Whether the key belongs to no field, dialog, or browser shortcut. */
function isFree({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}

/** Arrows count as keys of the list while it has the focus; elsewhere they scroll. */
function keyOf({ key }: KeyboardEvent): string {
  const isInList = document.activeElement?.matches('a[data-task]');
  if (isInList && key === 'ArrowDown') return 'j';
  return isInList && key === 'ArrowUp' ? 'k' : key;
}

/** From outside the list, the first step starts at the open task, or moves to the first task of the list. */
function move(screen: HTMLElement | null, step: 1 | -1): void {
  const links = [...(screen?.querySelectorAll<HTMLElement>('a[data-task]') ?? [])];
  const row = document.activeElement?.closest('tr');
  const open = links.findIndex((link) => link.ariaCurrent === 'page');
  const focused = links.findIndex((link) => row?.contains(link));
  const current = focused === -1 ? open : focused;
  const link = links[current === -1 ? 0 : current + step];
  link?.focus();
  if (screen?.querySelector('[data-pane]')) link?.click();
}

/** Moves the focus to the first field of the open task. */
function edit(screen: HTMLElement | null): void {
  screen?.querySelector<HTMLElement>('[data-form] :is(input, textarea, select)')?.focus();
}

/** Presses Claim in the row that has the focus, or at the open task. */
function claim(screen: HTMLElement | null): void {
  const place = screen?.querySelector('[data-pane]') ?? document.activeElement?.closest('tr');
  place?.querySelector<HTMLElement>('[data-action="claim"]')?.click();
}

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <dl className={styles.shortcuts}>
        {shortcuts.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
