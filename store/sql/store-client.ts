/**
 * The store's connections, through which every text reaches Postgres. FEEL can produce characters that Postgres rejects
 * in text; the driver wrapper replaces them, so that no statement has to. A time that is infinite is read as null.
 */
import pg from 'pg';
import { storableText } from './text.js';

const timestamp = pg.types.builtins.TIMESTAMPTZ;
const parseTimestamp = pg.types.getTypeParser(timestamp) as (text: string) => Date | number;

/** JSON escapes these characters, so JSON text passes unchanged. */
export class StoreClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.setTypeParser(timestamp, timeOrNull);
  }

  // All overloads of the driver accept a text or a query object first, and its values second.
  override query(query: unknown, values?: unknown, done?: unknown): never {
    return super.query(withStorableValues(query) as string, storable(values) as unknown[], done as never) as never;
  }
}

/** Where the store writes `infinity`, nothing is due at any time. The driver would return a number instead of a date. */
function timeOrNull(text: string): Date | null {
  const time = parseTimestamp(text);
  return typeof time === 'number' ? null : time;
}

function withStorableValues(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('values' in query) || 'submit' in query) return query;
  const values = storable(query.values);
  return values === query.values ? query : { ...query, values };
}

/** Returns the same value if nothing has to be replaced, which is nearly always, so nothing is copied. */
function storable(value: unknown): unknown {
  // The driver itself writes lone surrogates as U+FFFD.
  if (typeof value === 'string') return value.includes('\0') ? storableText(value) : value;
  if (!Array.isArray(value)) return value;
  const replaced = value.map(storable);
  return replaced.some((member, index) => member !== value[index]) ? replaced : value;
}
