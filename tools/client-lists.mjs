/**
 * Generates the descriptions of the lists of an OpenAPI document (`x-list`) as data of the client package, so that
 * console and CLI derive their filters from the declaration of the API.
 */

const banner = '/** Generated from the OpenAPI document by `npm run generate:client`. Do not edit. */';

const types = `/** A list of the REST API: what it can be filtered and sorted by. */
export interface ListDescription {
  path: string;
  /** In the order in which user interfaces show them. */
  filters: readonly FilterDescription[];
  /** Values of \`sort\`, the default first; empty if the list has one order. */
  sorts: readonly string[];
  /** Orders that take long in a large list together with a filter, or without one; \`fastOrders\` leaves them out. */
  slow?: readonly SlowOrder[];
}

export interface SlowOrder {
  sort: string;
  order: 'asc' | 'desc';
  /** Any of them makes the order slow. */
  filters: readonly string[];
  /** So does any other value of this filter, or none. */
  without?: { filter: string; value: string };
}

export interface FilterDescription {
  /** The name of the query parameter. */
  name: string;
  /** In sentence case. */
  label: string;
  /** \`time\`: RFC 3339 with a zone. */
  kind: 'text' | 'enum' | 'time' | 'boolean';
  /** Of an \`enum\` and a \`boolean\`: what the parameter can be. */
  values?: readonly { value: string; label: string }[];
  /** Up to 20 values, separated by commas. */
  several?: true;
  /** Shorter texts are refused. */
  minLength?: number;
  /** Another filter of the list without which this one is refused. */
  needs?: string;
}`;

/** The source text of the module. */
export function clientLists({ paths }) {
  const lists = Object.entries(paths)
    .filter(([, { get }]) => get?.['x-list'] !== undefined)
    .map(([path, { get }]) => [get.operationId, { path, ...get['x-list'] }])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const members = lists.map(([name, { path, filters, sorts, slow = [] }]) =>
    [
      `  ${name}: {`,
      `    path: ${JSON.stringify(path)},`,
      '    filters: [',
      ...filters.map((filter) => `      ${JSON.stringify(filter)},`),
      '    ],',
      `    sorts: ${JSON.stringify(sorts)},`,
      ...(slow.length === 0 ? [] : ['    slow: [', ...slow.map((one) => `      ${JSON.stringify(one)},`), '    ],']),
      '  },',
    ].join('\n'),
  );
  return [
    banner,
    types,
    '/** All lists with filters or orders, by the id of their operation. */',
    `export const lists = {\n${members.join('\n')}\n} as const satisfies { readonly [operationID: ` +
      `string]: ListDescription };\n`,
  ]
    .join('\n\n')
    .replace('operation. */\n\nexport', 'operation. */\nexport');
}
