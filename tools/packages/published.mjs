/** The packages of this repository that are published, as their manifests describe them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../packages', import.meta.url));

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, string>} [dependencies]
 * @property {{ url: string }} [repository]
 */

/** In dependency order: each after the packages that it needs. */
export function publishedPackages() {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const manifests = names.map(({ name }) => readManifest(join(folder, name, 'package.json')));
  return inDependencyOrder(manifests.filter((manifest) => !manifest.private));
}

/**
 * @param {Package[]} packages without circles
 * @returns {Package[]}
 */
export function inDependencyOrder(packages) {
  const byName = new Map(packages.map((each) => [each.name, each]));
  const ordered = new Set();
  const add = (each) => {
    for (const name of Object.keys(each.dependencies ?? {})) if (byName.has(name)) add(byName.get(name));
    ordered.add(each);
  };
  packages.forEach(add);
  return [...ordered];
}

/**
 * @param {string} file
 * @returns {Package}
 */
function readManifest(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
