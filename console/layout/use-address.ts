/** What a screen shows is said in the address, so that a link shows somebody else the same. */
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export interface Address {
  /** Undefined where the address does not say it. */
  get(name: string): string | undefined;
  /** Sets several at once; undefined or the empty text takes one away. Filters do not fill the history of the browser. */
  set(changes: Readonly<Record<string, string | undefined>>): void;
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
