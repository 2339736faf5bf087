/**
 * Writes what the client package takes from the reviewed OpenAPI document: the types of the REST API, and its lists.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { clientLists } from './client-lists.mjs';
import { clientTypes } from './client-types.mjs';

const document = JSON.parse(readFileSync(new URL('../test/api/openapi.golden.json', import.meta.url), 'utf8'));
writeFileSync(new URL('../packages/client/schema.ts', import.meta.url), clientTypes(document));
writeFileSync(new URL('../packages/client/lists.ts', import.meta.url), clientLists(document));
