import { useEffect, useState } from 'react';

const settleAfterMs = 250;

/** The text after the user has paused typing: a request with each key would be slow. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
