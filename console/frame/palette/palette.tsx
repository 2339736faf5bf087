/** The command palette: a text that leads to an instance, a process, a task, a screen, or an action. */
import { useState } from 'react';
import { IconButton } from '../../components/basics/button.js';
import { Icon } from '../../components/basics/icon.js';
import { useModal } from '../../components/dialogs/use-modal.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { CommandCombobox, CommandGroup, CommandItem } from '../../components/popups/combobox.js';
import { groups } from './entry.js';
import type { Entry } from './entry.js';
import { useFoundEntries } from './found-entries.js';
import { useLocalEntries } from './local-entries.js';
import type { OfferedAction } from './offered-actions.js';
import styles from './palette.module.css';

interface PaletteProps {
  /** Actions of the page below. */
  actions: readonly OfferedAction[];
  onClose(): void;
}

const label = 'Go to';

export function Palette({ actions, onClose }: PaletteProps) {
  const dialog = useModal();
  const [text, setText] = useState('');
  const query = text.trim();
  const local = useLocalEntries(query, actions);
  const found = useFoundEntries(query);
  const known = new Set(local.map(({ key }) => key));
  const entries = [...local, ...found.entries.filter(({ key }) => !known.has(key))];
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A press outside arrives at the dialog itself; its content covers all of it.
      onPointerDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={styles.content}>
        <CommandCombobox
          label={label}
          placeholder="Instance id, business id, process, task, screen, or action"
          text={text}
          onText={setText}
          beside={<IconButton icon="close" label="Close" onClick={onClose} />}
        >
          {groups.map((group) => (
            <Group key={group} name={group} entries={entries} onClose={onClose} />
          ))}
        </CommandCombobox>
        <footer className={styles.status}>
          <span role="status">{statusOf(entries.length, found)}</span>
          <span aria-hidden="true" className={styles.keys}>
            <span>
              <kbd>↑</kbd> <kbd>↓</kbd> choose
            </span>
            <span>
              <kbd>Enter</kbd> open
            </span>
            <span>
              <kbd>Esc</kbd> close
            </span>
          </span>
        </footer>
      </div>
    </dialog>
  );
}

interface GroupProps {
  name: Entry['group'];
  entries: readonly Entry[];
  onClose(): void;
}

function Group({ name, entries, onClose }: GroupProps) {
  const shown = entries.filter(({ group }) => group === name);
  if (shown.length === 0) return null;
  return (
    <CommandGroup label={name}>
      {shown.map(({ key, icon, label: words, hint, run }) => (
        <CommandItem
          key={key}
          icon={<Icon name={icon} />}
          hint={hint}
          onChoose={() => {
            onClose();
            run();
          }}
        >
          {words}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

function statusOf(count: number, { isSearching, error }: { isSearching: boolean; error: Error | null }): string {
  if (error) return sentenceOf(error);
  if (isSearching) return 'Searching';
  if (count === 0) return 'Nothing found';
  return `${count} ${count === 1 ? 'result' : 'results'}`;
}
