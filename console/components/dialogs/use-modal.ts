import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Shows a `<dialog>` as a modal one while it is mounted. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    // Closed before it leaves the document, so that the focus returns to the control that opened it.
    return () => dialog.close();
  }, []);
  return element;
}
