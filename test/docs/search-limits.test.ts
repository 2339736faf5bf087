/** The limits that `docs/search.md` states. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultApiConfiguration } from '../../api/configuration.js';
import { searchRequest } from '../../api/operations/search/shared/schemas.js';
import { MAX_PREFILTERED } from '../../api/search/batch-sizes.js';
import { MAX_SCANNED_CHARACTERS } from '../../api/search/scan.js';
import { THREADS } from '../../api/search/threads.js';
import { repositoryRoot } from '../../dev/repository.js';
import { MAX_BATCH_BYTES, MAX_EVALUATED } from '../../store/search/search.js';

const page = readFileSync(join(repositoryRoot, 'docs/search.md'), 'utf8');
const written = (count: number) => count.toLocaleString('en-US');
const { limit, predicate } = searchRequest.shape;

test.each([
  `| \`limit\` | 1 to ${limit.unwrap().maxValue} (default ${limit.parse(undefined)}) |`,
  `| predicate | ${written(predicate.maxLength!)} characters |`,
  `| concurrent searches | ${defaultApiConfiguration.simultaneousSearches} per caller`,
  `| batch | ${written(MAX_PREFILTERED)} prefiltered instances, of which ${written(MAX_EVALUATED)} and about ${MAX_BATCH_BYTES / 1e6} MB are evaluated |`,
  `| variables in one page | about ${MAX_SCANNED_CHARACTERS / 1e6} million characters;`,
  `| thread | ${THREADS.heapMB} MB. A thread that does not respond for ${THREADS.timeoutMs / 1000} s is ended.`,
])('the page about search states the limit of the code: %s', (line) => {
  expect(page).toContain(line);
});
