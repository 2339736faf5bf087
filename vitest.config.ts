import { defineConfig } from 'vitest/config';
import { packageSources } from './tools/packages/sources.js';
import { layerOf, layers, testFiles } from './tools/test/layers.js';
import LongestFirst from './tools/test/longest-first.js';

const files = testFiles();

export default defineConfig({
  resolve: { alias: packageSources },
  test: {
    pool: 'forks',
    // Modules are loaded once per process instead of once per file, which was most of the work of most files.
    isolate: false,
    // Each layer is a run of its own, and most of them load the same modules. The key is the content of the module.
    experimental: { fsModuleCache: true },
    maxWorkers: 2,
    // Concurrent tests are those that wait.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
    projects: layers.map((layer) => ({
      extends: true,
      test: {
        name: layer.name,
        include: files.filter((file) => layerOf(file) === layer),
        globalSetup: [
          ...(layer.servers === 'none' ? [] : ['test/support/global-setup.ts']),
          ...(layer.name === 'console' ? ['test/console/support/global-setup.ts'] : []),
          'test/support/named-tests.ts',
        ],
        // Loaded by Node itself: what is compiled needs no transformation.
        server: { deps: { external: [/\/dist\//] } },
        testTimeout: 30_000,
        hookTimeout: 300_000,
        env: { TZ: 'UTC' },
      },
    })),
  },
});
