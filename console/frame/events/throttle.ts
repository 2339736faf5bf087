/** Calls immediately, then at most once per interval, with one call at its end for all calls in between. */
export function throttle(call: () => void, everyMs: number): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const run = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) run();
    }, everyMs);
    isWanted = false;
    call();
  };
  const throttled = () => {
    if (timer === undefined) run();
    else isWanted = true;
  };
  throttled.cancel = () => {
    clearTimeout(timer);
    isWanted = false;
  };
  return throttled;
}
