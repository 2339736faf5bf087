/** The precondition of a request (RFC 9110 section 13.1.1). */

/** Far more than a client that has read one state sends. */
const MAX_TAGS = 100;

/** An entity tag, and the comma after it. */
const TAG = /[\t ]*(?<weak>W\/)?"(?<text>[\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,|$)/y;

/**
 * The opaque texts of the strong entity tags in `If-Match`. A weak tag names no state exactly, so none is among them.
 * @returns undefined if every state is allowed (no header, or `*`); a sentence for a header that is not a list of tags
 */
export function readIfMatch(header: string | null): readonly string[] | undefined | { readonly malformed: string } {
  if (header === null || header.trim() === '*') return undefined;
  const strong: string[] = [];
  TAG.lastIndex = 0;
  for (let count = 1; ; count += 1) {
    if (count > MAX_TAGS) return { malformed: `must have at most ${MAX_TAGS} entity tags` };
    const tag = TAG.exec(header)?.groups;
    if (!tag)
      return { malformed: 'must be * or a list of entity tags, each in double quotes, as the ETag of a response is' };
    if (tag['weak'] === undefined) strong.push(tag['text']!);
    if (TAG.lastIndex === header.length) return strong;
  }
}
