/** Stand-ins for names of secrets. One pass over a text finds all of them, however many there are. */
import { randomUUID } from 'node:crypto';

/** Its ends differ, so that no text before a token looks like the beginning of one. */
const TOKEN = /x[0-9a-f]{32}y/g;

/** Letters and digits only: a token stays the same in a URL and in JSON. */
export function createToken(): string {
  return `x${randomUUID().replaceAll('-', '')}y`;
}

export function tokensIn(text: string): ReadonlySet<string> {
  return new Set(text.match(TOKEN) ?? []);
}

/** @param textOf undefined for what only looks like a token */
export function replaceTokens(text: string, textOf: (token: string) => string | undefined): string {
  return text.replaceAll(TOKEN, (token) => textOf(token) ?? token);
}
