/**
 * The access token of a client that can send a user name and a password only: the password is the token, and the name
 * means nothing.
 */
export function bearerOf(authorization: string | null): string | null {
  const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return authorization;
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
}
