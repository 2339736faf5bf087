/**
 * The description of a list in the OpenAPI document (`x-list`), from which user interfaces derive their fields: the
 * console, the CLI, and clients of others. `npm run generate:client` writes it to `packages/client/lists.ts`.
 */

export interface ListDescription {
  /** In the order in which user interfaces show them. */
  readonly filters: readonly FilterDescription[];
  /** Values of `sort`, the default first; empty if the list has one order. */
  readonly sorts: readonly string[];
  /** Orders that take long in a large list together with a filter, or without one. The API takes them, but user interfaces do not offer them. */
  readonly slow?: readonly SlowOrder[];
}

export interface SlowOrder {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  /** Any of them makes the order slow. */
  readonly filters: readonly string[];
  /** So does any other value of this filter, or none. */
  readonly without?: { readonly filter: string; readonly value: string };
}

export interface FilterDescription {
  /** The name of the query parameter. */
  readonly name: string;
  /** In sentence case. */
  readonly label: string;
  /** `time`: RFC 3339 with a zone. */
  readonly kind: 'text' | 'enum' | 'time' | 'boolean';
  /** Of an `enum` and a `boolean`: what the parameter can be. */
  readonly values?: readonly { readonly value: string; readonly label: string }[];
  /** Up to 20 values, separated by commas. */
  readonly several?: true;
  /** Shorter texts are refused. */
  readonly minLength?: number;
  /** Another filter of the list without which this one is refused. */
  readonly needs?: string;
}
