/** Whether a text has all words of the query somewhere. Case does not matter. */
export function matches(query: string, text: string): boolean {
  const wanted = query.toLowerCase().split(/\s+/);
  const within = text.toLowerCase();
  return wanted.every((word) => within.includes(word));
}
