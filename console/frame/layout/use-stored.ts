import { useState } from 'react';

/** A text stored in this browser, and the function that replaces it; undefined removes it. */
export function useStored(key: string): readonly [string | undefined, (text: string | undefined) => void] {
  const [entry, setEntry] = useState<{ key: string; text: string | undefined }>();
  const text = entry?.key === key ? entry.text : (window.localStorage.getItem(key) ?? undefined);
  const store = (next: string | undefined) => {
    if (next === undefined) window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, next);
    setEntry({ key, text: next });
  };
  return [text, store];
}
