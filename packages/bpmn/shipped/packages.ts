/** The meta-model that bpmn-moddle ships. Browsers use `browser.ts`: they cannot read files. */
import { createRequire } from 'node:module';
import type { Package } from './package.js';

const require = createRequire(import.meta.url);

export function shippedPackage(name: string): Package {
  return require(`bpmn-moddle/resources/bpmn/json/${name}.json`) as Package;
}
