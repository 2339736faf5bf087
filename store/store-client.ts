/**
 * The connections of the store: every text on its way into Postgres passes here. FEEL makes characters that Postgres
 * refuses in text; they are replaced at the driver, so that no statement has to remember them.
 */
import pg from 'pg';
import { storableText } from './text.js';

/** JSON escapes these characters, so that JSON text passes unchanged. */
export class StoreClient extends pg.Client {
  // The driver's overloads share one shape: a text or a query object first, its values second.
  override query(query: unknown, values?: unknown, done?: unknown): never {
    return super.query(withStorableValues(query) as string, storable(values) as unknown[], done as never) as never;
  }
}

function withStorableValues(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('values' in query) || 'submit' in query) return query;
  const values = storable(query.values);
  return values === query.values ? query : { ...query, values };
}

/** The same value when nothing in it has to be replaced: nearly always, so nothing is copied. */
function storable(value: unknown): unknown {
  // The driver itself writes lone surrogates as U+FFFD.
  if (typeof value === 'string') return value.includes('\0') ? storableText(value) : value;
  if (!Array.isArray(value)) return value;
  const replaced = value.map(storable);
  return replaced.some((member, index) => member !== value[index]) ? replaced : value;
}
