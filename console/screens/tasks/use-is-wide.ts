import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 70rem)');

/** Whether the window has room for the list and a task side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      wide.addEventListener('change', onChange);
      return () => wide.removeEventListener('change', onChange);
    },
    () => wide.matches,
  );
}
