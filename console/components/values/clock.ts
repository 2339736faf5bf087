/** One clock for all relative times on a page. They change together, and only while the page is visible. */
import { useSyncExternalStore } from 'react';

const everyMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * A value derived from the time of the last tick, in milliseconds since 1970. Round it, so that the component does not
 * render every second.
 */
export function useClock<T>(derive: (nowMs: number) => T): T {
  return useSyncExternalStore(subscribe, () => derive(now));
}
