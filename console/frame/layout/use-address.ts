/** The address has the state of a screen, so that a link shows another person the same. */
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The API knows no later one. */
const LAST_PAGE = 1_000_000;

export interface Address {
  /** Undefined where the address does not say it. */
  get(name: string): string | undefined;
  /** Sets several at once; undefined or the empty text takes one away. Filters do not fill the history of the browser. */
  set(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The page of the list, from 1. An invalid number counts as the first page. */
export function pageNumber({ get }: Pick<Address, 'get'>): number {
  const page = Number(get('page'));
  return Number.isInteger(page) && page >= 1 ? Math.min(page, LAST_PAGE) : 1;
}

/** The change of an address that selects a page. The first page has no parameter. */
export function atPage(page: number): { page: string | undefined } {
  return { page: page === 1 ? undefined : String(page) };
}

export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback<Address['set']>(
    (changes) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return { get: (name) => parameters.get(name) || undefined, set };
}
