/** Short messages about finished actions. They disappear after a while; errors stay until they are dismissed. */
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '../basics/button.js';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import styles from './toast.module.css';

interface Toast {
  number: number;
  kind: 'done' | 'failed';
  sentence: string;
}

export interface Toasts {
  done(sentence: string): void;
  failed(sentence: string): void;
}

const visibleForMs = 6_000;
const Context = createContext<Toasts>({ done: () => undefined, failed: () => undefined });

export function useToasts(): Toasts {
  return useContext(Context);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback(
    (number: number) => setToasts((shown) => shown.filter((toast) => toast.number !== number)),
    [],
  );
  const value = useMemo<Toasts>(() => {
    let last = 0;
    const show = (kind: Toast['kind'], sentence: string) => {
      const number = (last += 1);
      setToasts((shown) => [...shown.slice(-3), { number, kind, sentence }]);
      if (kind === 'done') setTimeout(() => remove(number), visibleForMs);
    };
    return { done: (sentence) => show('done', sentence), failed: (sentence) => show('failed', sentence) };
  }, [remove]);
  return (
    <Context value={value}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite">
        {toasts.map(({ number, kind, sentence }) => (
          <div key={number} className={classes(styles.toast, styles[kind])}>
            <Icon name={kind === 'done' ? 'check' : 'alert'} />
            <span>{sentence}</span>
            <IconButton icon="close" label="Dismiss" onClick={() => remove(number)} />
          </div>
        ))}
      </div>
    </Context>
  );
}
