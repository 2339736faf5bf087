/** Actions of the open page that the command palette offers as well. */
import { createContext, useContext, useEffect } from 'react';
import type { RefObject } from 'react';
import type { IconName } from '../../components/basics/icon.js';

export interface OfferedAction {
  readonly label: string;
  readonly icon: IconName;
  run(): void;
}

/** A reference, because what a page offers is read only when the palette opens. */
export const OfferedActions = createContext<RefObject<readonly OfferedAction[]>>({ current: [] });

/** Offers actions of the page while it is shown. */
export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const offered = useContext(OfferedActions);
  useEffect(() => {
    offered.current = actions;
    return () => {
      offered.current = [];
    };
  });
}
