import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { browserSources, packageSources } from '../tools/packages/sources.js';
import { modelerCopies } from './modeler-copies.js';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  resolve: { alias: [...browserSources, ...packageSources] },
  plugins: [modelerCopies()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_500,
    rollupOptions: {
      onwarn(warning, warn) {
        // "use client" is for frameworks that also run on a server.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
