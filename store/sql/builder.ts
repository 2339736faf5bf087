/**
 * SQL with its values where they are used. Values are named by the code around them, so fragments can be composed
 * without counting: placeholders are numbered when the whole statement is complete. Fragments that are composed in the
 * same way have the same text, whatever their values, so the statement can be prepared.
 */
import type { Statement } from './database.js';

/** A value that a statement uses several times: all of its uses have the same placeholder. */
export class Parameter {
  constructor(readonly value: unknown) {}
}

/** A fragment of SQL with its parameters. */
export class Sql {
  /** @param texts one more than there are parameters: those before, between, and after them */
  constructor(
    readonly texts: readonly string[],
    readonly parameters: readonly Parameter[],
  ) {}

  /** The text of a fragment without parameters, for statements that are written as one constant. */
  toString(): string {
    if (this.parameters.length > 0) throw new Error('SQL with parameters is not a text. Compose it with sql`...`.');
    return this.texts[0]!;
  }
}

/** A fragment: members that are fragments are part of it, all others are values of parameters. */
export function sql(texts: TemplateStringsArray, ...members: unknown[]): Sql {
  const all = [texts[0]!];
  const parameters: Parameter[] = [];
  const append = (text: string) => (all[all.length - 1] += text);
  members.forEach((member, index) => {
    if (member instanceof Sql) {
      append(member.texts[0]!);
      all.push(...member.texts.slice(1));
      parameters.push(...member.parameters);
      append(texts[index + 1]!);
    } else {
      parameters.push(member instanceof Parameter ? member : new Parameter(member));
      all.push(texts[index + 1]!);
    }
  });
  return new Sql(all, parameters);
}

/** A constant text as a fragment. Never pass text from outside. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** As `raw`, for functions whose arguments are constant texts or fragments. */
export function fragment(given: string | Sql): Sql {
  return given instanceof Sql ? given : raw(given);
}

/** Fragments one after the other. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  return parts.slice(1).reduce((all, part) => sql`${all}${raw(separator)}${part}`, parts[0] ?? raw(''));
}

/** The statement with its placeholders. */
export function statementOf({ texts, parameters }: Sql, name?: string): Statement & { values: unknown[] } {
  const places = new Map<Parameter, number>();
  let text = texts[0]!;
  parameters.forEach((parameter, index) => {
    const place = places.get(parameter) ?? places.size + 1;
    places.set(parameter, place);
    text += `$${place}${texts[index + 1]!}`;
  });
  return { name, text, values: [...places.keys()].map(({ value }) => value) };
}

/** How a column of `rowsOf` is filled: its type, and its value for an item. */
type Column<Item> = readonly [type: string, value: (item: Item) => unknown];

/** One row per item: `unnest(...) AS alias(columns)`. Its text depends on the columns only, not on the number of items. */
export function rowsOf<Item>(
  alias: string,
  items: readonly Item[],
  columns: { readonly [name: string]: Column<Item> },
): Sql {
  const arrays = Object.values(columns).map(([type, value]) => sql`${items.map(value)}::${raw(type)}[]`);
  return sql`unnest(${joined(arrays, ', ')}) AS ${raw(`${alias}(${Object.keys(columns).join(', ')})`)}`;
}
