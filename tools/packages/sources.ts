/**
 * Where Vite and vitest find the packages of this repository, which have no compiled files in a fresh checkout: in
 * their sources. `paths` in tsconfig.json says the same to the compiler.
 */
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/** For bundles that run in browsers: what the condition `browser` selects in package.json. */
export const browserSources = [
  { find: /^@perdure\/testkit$/, replacement: `${packages}/testkit/browser.ts` },
  { find: /^@perdure\/lib\/sha256(?:\.js)?$/, replacement: `${packages}/lib/browser/sha256.ts` },
  {
    find: /^@perdure\/bpmn\/shipped\/packages(?:\.js)?$/,
    replacement: `${packages}/bpmn/shipped/browser.ts`,
  },
];

export const packageSources = [
  { find: /^@perdure\/testkit\/models$/, replacement: `${packages}/testkit/models/index.ts` },
  { find: /^@perdure\/([^/]+)$/, replacement: `${packages}/$1/index.ts` },
  { find: /^@perdure\/([^/]+)\/(.+?)(?:\.js)?$/, replacement: `${packages}/$1/$2.ts` },
];
