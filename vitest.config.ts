import { defineConfig } from 'vitest/config';
import { packageSources } from './tools/package-sources.mjs';

export default defineConfig({
  resolve: { alias: packageSources },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/named-tests.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 300_000,
    env: { TZ: 'UTC' },
  },
});
