/** The button and the shortcut that open the command palette, which is loaded when it is first opened. */
import { useCallback, useEffect, useState } from 'react';
import type { ComponentType, RefObject } from 'react';
import { Icon } from '../../components/basics/icon.js';
import { useToasts } from '../../components/feedback/toast.js';
import type { OfferedAction } from './offered-actions.js';
import styles from './palette.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

type Loaded = ComponentType<{ actions: readonly OfferedAction[]; onClose(): void }>;

export function OpenPalette({ offered }: { offered: RefObject<readonly OfferedAction[]> }) {
  const toasts = useToasts();
  const [shown, setShown] = useState<{ Palette: Loaded; actions: readonly OfferedAction[] }>();
  const open = useCallback(() => {
    import('./palette.js').then(
      ({ Palette }) => setShown({ Palette, actions: offered.current }),
      () => toasts.failed('The command palette could not be loaded. Reload the page.'),
    );
  }, [offered, toasts]);
  useShortcut(open);
  return (
    <>
      <button
        type="button"
        className={styles.opener}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="search" />
        <span className={styles.words}>Go to</span>
        <kbd aria-hidden="true">{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {shown && <shown.Palette actions={shown.actions} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** The shortcut works in fields too, but not above an open dialog, whose work it would cover. */
function useShortcut(open: () => void): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [open]);
}

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const hasModifier = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return hasModifier && !altKey && !shiftKey && key.toLowerCase() === 'k';
}
