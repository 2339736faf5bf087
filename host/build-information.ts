import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildInformation } from '../api/context.js';

/** The folder of package.json, whether the code runs from source or from `dist/`. */
export const packageRoot = findPackageRoot();

export function readBuildInformation(): BuildInformation {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return { version, buildTime: undefined, commit: undefined };
}

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
