/** The state of a screen is in its address, so that a link shows the same to another person. */
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The last page that the API accepts. */
const LAST_PAGE = 1_000_000;

export interface Address {
  /** Undefined for a parameter that the address does not have. */
  get(name: string): string | undefined;
  /** Sets several parameters; undefined or an empty text removes one. Replaces the entry in the browser's history. */
  set(changes: Readonly<Record<string, string | undefined>>): void;
}

/**
 * The page of the list, from 1. An invalid number counts as the first page.
 *
 * @param name the parameter, for the second list of a screen
 */
export function pageNumber({ get }: Pick<Address, 'get'>, name = 'page'): number {
  const page = Number(get(name));
  return Number.isInteger(page) && page >= 1 ? Math.min(page, LAST_PAGE) : 1;
}

/** The change of an address that selects a page. The first page has no parameter. */
export function atPage(page: number, name = 'page'): Readonly<Record<string, string | undefined>> {
  return { [name]: page === 1 ? undefined : String(page) };
}

export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback<Address['set']>(
    (changes) =>
      setParameters(
        () => {
          // Of the window, because two changes can follow each other before React has drawn the first.
          const after = new URLSearchParams(window.location.search);
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
