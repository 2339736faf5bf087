import { defineConfig } from 'vitest/config';

/** Not part of `npm test`: it takes as long as it is asked to. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/chaos/chaos.run.ts'],
    pool: 'forks',
    disableConsoleIntercept: true,
    env: { TZ: 'UTC' },
  },
});
