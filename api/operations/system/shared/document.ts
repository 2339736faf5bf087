import { createOpenApiDocument, type OpenApiDocument } from '../../../contract/openapi.js';
import type { Operation } from '../../../commands/operation.js';

/**
 * The document of all operations, built on the first request: the list of operations contains the two that return it.
 */
export function documentOf(operations: () => readonly Operation[]): () => OpenApiDocument {
  let document: OpenApiDocument | undefined;
  return () => (document ??= createOpenApiDocument(operations()));
}
