/** The credentials that the environment holds: an access token, or a service account. */
import { isTrustworthyURL } from '@perdure/lib/trust/trustworthy-url.js';
import { WrongUse } from '../wrong-use.js';

export type Environment = { readonly [name: string]: string | undefined };

export type Credentials = { token: string } | { tokenEndpoint: string; clientID: string; clientSecret: string };

export const credentialNames = [
  'PERDURE_TOKEN',
  'PERDURE_TOKEN_ENDPOINT',
  'PERDURE_CLIENT_ID',
  'PERDURE_CLIENT_SECRET',
] as const;

/** @throws WrongUse when no credentials are configured, or the secret would be readable on its way */
export function credentialsOf({
  PERDURE_TOKEN: token,
  PERDURE_TOKEN_ENDPOINT: tokenEndpoint,
  PERDURE_CLIENT_ID: clientID,
  PERDURE_CLIENT_SECRET: clientSecret,
}: Environment): Credentials {
  if (token) return { token };
  if (tokenEndpoint && clientID && clientSecret)
    return { tokenEndpoint: protectedURL('The token endpoint', tokenEndpoint), clientID, clientSecret };
  throw new WrongUse(
    'No credentials. Set PERDURE_TOKEN to an access token, or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID, ' +
      'and PERDURE_CLIENT_SECRET to those of a service account; perdure profile add saves them. In a ' +
      'checkout, run npm start: commands then use its host, unless PERDURE_API, --api, or a profile names ' +
      'another one.',
  );
}

/**
 * The URL of a host without a slash at its end.
 *
 * @throws WrongUse when it is not a URL to which a token may be sent
 */
export function urlOfHost(url: string): string {
  return protectedURL('The host', url).replace(/(?<!\/)\/+$/, '');
}

/**
 * Tokens and secrets are sent to it, so anyone in between could take them without TLS.
 *
 * @throws WrongUse when it is not an https URL (http only on loopback)
 */
export function protectedURL(what: string, url: string): string {
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new WrongUse(`${what} must be a URL such as https://perdure.example.com, but is ${JSON.stringify(url)}`);
  if (isTrustworthyURL(new URL(url))) return url;
  throw new WrongUse(
    `${what} must use https because credentials are sent to it (http only on loopback), but is ` +
      `${JSON.stringify(url)}. To a host without TLS, forward a port of this machine, for example with ssh -L.`,
  );
}
