/**
 * Where Vite and vitest find the packages of this repository, which have no compiled files in a fresh checkout: in
 * their sources. `paths` in tsconfig.json says the same to the compiler.
 */
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

export const packageSources = [
  { find: /^@perdure\/testkit\/models$/, replacement: `${packages}/testkit/models/index.ts` },
  { find: /^@perdure\/([^/]+)$/, replacement: `${packages}/$1/index.ts` },
  { find: /^@perdure\/([^/]+)\/(.+?)(?:\.js)?$/, replacement: `${packages}/$1/$2.ts` },
];
