/** Writes `packages/client/schema.ts`, the types of the REST API, from the reviewed OpenAPI document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.mjs';

const document = JSON.parse(readFileSync(new URL('../test/api/openapi.golden.json', import.meta.url), 'utf8'));
writeFileSync(new URL('../packages/client/schema.ts', import.meta.url), clientTypes(document));
