/** The schema of a database as SQL that a reviewer reads: tables, columns, constraints, indexes, triggers and functions, by name. */
import type { Queryable } from '../../../store/sql/database.js';

const tables = `
  SELECT c.oid::int AS oid, c.relname AS name, array_to_string(c.reloptions, ', ') AS options
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
  ORDER BY c.relname`;

const columns = `
  SELECT a.attrelid::int AS oid, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> 0 AND a.attcollation <> t.typcollation THEN 'COLLATE ' || quote_ident(l.collname) END,
    CASE WHEN a.attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END,
    CASE WHEN d.adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END,
    CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS line
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_collation l ON l.oid = a.attcollation
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

const constraints = `
  SELECT conrelid::int AS oid, pg_get_constraintdef(oid) AS line FROM pg_constraint
  WHERE contype IN ('p', 'u', 'f', 'c') ORDER BY contype = 'p' DESC, contype, conname`;

const indexes = `
  SELECT i.indrelid::int AS oid, pg_get_indexdef(i.indexrelid) || ';' AS line FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u')) ORDER BY c.relname`;

const triggers = `
  SELECT tgrelid::int AS oid, pg_get_triggerdef(oid) || ';' AS line FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`;

const functions = `
  SELECT CASE WHEN prokind = 'a' THEN (
    SELECT format('CREATE AGGREGATE public.%s(%s) (SFUNC = %s, STYPE = %s, INITCOND = %L);', proname, pg_get_function_arguments(p.oid),
      aggtransfn, format_type(aggtranstype, NULL), agginitval) FROM pg_aggregate WHERE aggfnoid = p.oid)
    ELSE pg_get_functiondef(oid) END AS text FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e') ORDER BY proname`;

interface Line {
  oid: number;
  line: string;
}

export async function describeSchema(database: Queryable): Promise<string> {
  const [found, defined, ...lines] = await Promise.all([
    database.query<{ oid: number; name: string; options: string | null }>(tables),
    database.query<{ text: string }>(functions),
    ...[columns, constraints, indexes, triggers].map((text) => database.query<Line>(text)),
  ]);
  const of = (kind: number, oid: number) =>
    lines[kind]!.rows.filter((line) => line.oid === oid).map(({ line }) => line);
  const created = found.rows.map(({ oid, name, options }) => {
    const inside = [...of(0, oid), ...of(1, oid)].map((line) => `  ${line}`).join(',\n');
    const table = `CREATE TABLE ${name} (\n${inside}\n)${options === null ? '' : ` WITH (${options})`};`;
    return [table, ...of(2, oid), ...of(3, oid)].join('\n');
  });
  return [...created, ...defined.rows.map(({ text }) => text.trimEnd())].join('\n\n').concat('\n');
}
