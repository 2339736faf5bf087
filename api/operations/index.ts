/** Every operation of the API. Add a line here; routes, documentation and access tests follow from it. */
import type { Operation } from '../operation.js';
import { documentationOperations } from './system/documentation.js';
import { getHealth } from './system/health.js';
import { getReadiness } from './system/ready.js';
import { getVersion } from './system/version.js';

export const operations: readonly Operation[] = [
  getVersion,
  getHealth,
  getReadiness,
  ...documentationOperations(() => operations),
];
