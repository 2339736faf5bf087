/** The keyboard shortcuts of the inbox. */
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import styles from './tasks.module.css';

const shortcuts = [
  ['j', 'Next task'],
  ['k', 'Previous task'],
  ['Enter', 'Open the task'],
  ['c', 'Claim the task'],
  ['?', 'Show the shortcuts'],
] as const;

/** Keys move the focus between the links of tasks, so Enter opens a task like any link. */
export function useShortcuts(list: RefObject<HTMLElement | null>, onHelp: () => void): void {
  useEffect(() => {
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => move(list.current, 1),
      k: () => move(list.current, -1),
      c: claim,
      '?': onHelp,
    };
    const act = (event: KeyboardEvent) => {
      const action = isFree(event) ? actions[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [list, onHelp]);
}

/** Whether the key belongs to no field, dialog, or browser shortcut. */
function isFree({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}

/** From outside the list, the first step moves to its first task. */
function move(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('a[data-task]') ?? [])];
  const row = document.activeElement?.closest('tr');
  const current = links.findIndex((link) => row?.contains(link));
  links[current === -1 ? 0 : current + step]?.focus();
}

/** Presses Claim in the row that has the focus. */
function claim(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-action="claim"]')?.click();
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
