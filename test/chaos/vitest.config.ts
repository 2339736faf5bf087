import { defineConfig } from 'vitest/config';
import { packageSources } from '../../tools/packages/sources.js';

/** Not part of `npm test`: it takes as long as it is asked to. */
export default defineConfig({
  resolve: { alias: packageSources },
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/chaos/chaos.run.ts'],
    pool: 'forks',
    disableConsoleIntercept: true,
    env: { TZ: 'UTC' },
  },
});
