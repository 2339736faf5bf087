/** The words of one simple shell command; quotes are removed and nothing is expanded. A comment ends it. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"(?:\\.|[^"])*"|\\.|[^\s'"\\])+/g) ?? [];
  const comment = words.findIndex((word) => word.startsWith('#'));
  return words.slice(0, comment < 0 ? undefined : comment).map(withoutQuotes);
}

function withoutQuotes(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:\\.|[^"])*)"/g, (_match, single, double) => single ?? double);
}
