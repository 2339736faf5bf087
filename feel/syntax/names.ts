/**
 * Names with spaces and operators. In FEEL a text such as `due date - 1` can only be read by who knows which names exist, so the
 * parser gets the known ones. It reads them from a context of example values; ours is built from the bare names.
 */

/** One spelling for all ways to write a name: single spaces, and one around each operator sign. */
export function canonicalName(name: string): string {
  return name.replace(/\s+/g, ' ').replace(/ ?(\*\*|[./\-'+*]) ?/g, ' $1 ').replace(/ {2,}/g, ' ').trim();
}

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Words that the grammar needs as keywords, even where a variable is called like that. */
const KEYWORDS = new Set([
  'and', 'between', 'else', 'every', 'external', 'false', 'for', 'function', 'if', 'in', 'instance', 'list', 'not', 'null', 'of', 'or',
  'return', 'satisfies', 'some', 'then', 'true',
]);
/** How deep a path may go before a name with spaces; deeper ones need backticks. */
const PATH_DEPTH = 3;
/** The parser merges these contexts at each filter, so that its effort grows with their product. */
const MOST_ENTRIES = 10;

interface NameContext {
  [name: string]: NameContext;
}

/**
 * The context that makes the parser see names with spaces and operators, as variables and behind the points of a path. Only
 * names that occur in the text are in it, because the parser's effort grows with it.
 */
export function parserContext(text: string, names: readonly string[]): NameContext {
  const canonicalText = ` ${canonicalName(text)} `;
  const special = names.filter((name) => !PLAIN_NAME.test(name) && name !== '' && canonicalText.includes(canonicalName(name)));
  if (special.length === 0) return {};
  const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
  const plain = names.filter((name) => words.has(name) && !KEYWORDS.has(name));
  const entries = plain.filter((name) => text.includes(`.${name}`)).slice(0, MOST_ENTRIES);
  let context: NameContext = {};
  for (let depth = 0; depth < PATH_DEPTH; depth++) {
    const outer: NameContext = Object.create(null) as NameContext;
    const known = depth === PATH_DEPTH - 1 ? plain : entries;
    for (const name of [...known, ...special]) outer[name] = context;
    context = outer;
  }
  return context;
}
