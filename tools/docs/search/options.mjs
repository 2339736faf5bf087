/** How sections are found. The index is built and asked with the same options. */

/** @type {import('minisearch').Options} */
export const indexOptions = { fields: ['page', 'heading', 'text'], storeFields: ['address', 'page', 'heading'] };

const FUZZY_FROM = 5;

/** @type {import('minisearch').SearchOptions} */
export const searchOptions = {
  boost: { page: 3, heading: 4 },
  combineWith: 'AND',
  prefix: true,
  // A mistyped short word is another word.
  fuzzy: (term) => (term.length >= FUZZY_FROM ? 0.2 : false),
};
