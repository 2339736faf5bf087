/** Registers Perdure's search attributes in the namespace, where that is allowed. */
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { SEARCH_ATTRIBUTES } from '../workflows/messages.js';

/** Values of `temporal.api.enums.v1.IndexedValueType`. */
const indexedValueTypes = { KEYWORD: 2, BOOL: 5 } as const;

/**
 * Registers missing search attributes.
 * @returns the names that can be used: all, unless the server does not allow the registration
 * @throws when Temporal does not respond
 */
export async function ensureSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  logger: Logger,
): Promise<Set<string>> {
  const wanted = Object.values(SEARCH_ATTRIBUTES);
  const known = await list(connection, namespace);
  const missing = wanted.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return known;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        missing.map(({ name, type }) => [name, indexedValueTypes[type as keyof typeof indexedValueTypes]]),
      ),
    });
  } catch (error) {
    const names = missing.map(({ name }) => name).join(', ');
    logger.warn(
      { error: errorMessage(error) },
      `search attributes ${names} are not registered in namespace ${namespace}; instances run without them`,
    );
  }
  return await list(connection, namespace);
}

async function list(connection: NativeConnection, namespace: string): Promise<Set<string>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return new Set(Object.keys(customAttributes ?? {}));
}
