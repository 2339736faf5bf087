/**
 * Tokens whose signature a key has verified: a caller shows the same one until it expires, and verifying costs more than most
 * of what a request does besides. It is kept by the key itself, so a key that its issuer takes back takes its tokens along.
 */
import { createHash, type KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';

/** Of each key. */
const mostTokens = 1_000;

export class VerifiedTokens {
  readonly #byKey = new WeakMap<KeyObject, Map<string, JWTPayload>>();

  /**
   * The claims of a token that this key has verified. Everything about them was right then and still is, but what depends on
   * the time: the caller checks that they are not too old.
   */
  claimsOf(token: string, key: KeyObject): JWTPayload | undefined {
    return this.#byKey.get(key)?.get(digestOf(token));
  }

  remember(token: string, key: KeyObject, claims: JWTPayload): void {
    let tokens = this.#byKey.get(key);
    if (!tokens) this.#byKey.set(key, (tokens = new Map()));
    if (tokens.size >= mostTokens) forgetOldest(tokens);
    tokens.set(digestOf(token), claims);
  }
}

/** The memory of the process holds no token longer than its request. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

function forgetOldest(tokens: Map<string, JWTPayload>): void {
  const [oldest] = tokens.keys();
  if (oldest !== undefined) tokens.delete(oldest);
}
