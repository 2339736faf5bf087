/** How the host changes memberships at an issuer: the kind of provider, its address, and the host's account there. */
import { z } from 'zod';
import type { Environment } from '@perdure/configuration/variable.js';
import { isTrustworthyURL } from '@perdure/lib/trust/trustworthy-url.js';

export interface DevelopmentAdministration {
  readonly kind: 'development';
  /** Ends in `/administration`. */
  readonly url: string;
  readonly secret: string;
}

export interface KeycloakAdministration {
  readonly kind: 'keycloak';
  /** The realm in the admin REST API: `https://id.example/admin/realms/main`. */
  readonly url: string;
  readonly clientID: string;
  readonly secret: string;
}

export type IssuerAdministration = DevelopmentAdministration | KeycloakAdministration;

/** Files never contain the secret itself: they name the variable that holds it. */
export const administrationSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('development'), url: z.string(), secretVariable: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('keycloak'),
    url: z.string().optional(),
    clientID: z.string().min(1),
    secretVariable: z.string().min(1),
  }),
]);
export type AdministrationSettings = z.infer<typeof administrationSettings>;

/**
 * Completes the settings with the secret and, for Keycloak, with the address derived from the issuer.
 * @param problems receives one sentence per mistake
 */
export function completeAdministration(
  settings: AdministrationSettings,
  issuer: string,
  env: Environment,
  problems: string[],
): IssuerAdministration | undefined {
  const secret = env[settings.secretVariable] ?? '';
  if (secret === '')
    problems.push(`${settings.secretVariable} is not set; it must be the secret for changing memberships at ${issuer}`);
  const url = settings.url ?? issuer.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1');
  problems.push(...problemsOfURL(settings.kind, url));
  return settings.kind === 'keycloak'
    ? { kind: 'keycloak', url, clientID: settings.clientID, secret }
    : { kind: 'development', url, secret };
}

/** Requests append to this address, so a longer one would lead elsewhere. */
const forms = { keycloak: /\/admin\/realms\/[^/?#]+$/, development: /\/administration$/ } as const;
const examples = {
  keycloak: 'https://id.example/admin/realms/main',
  development: 'http://127.0.0.1:9000/administration',
} as const;

function problemsOfURL(kind: IssuerAdministration['kind'], text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || !forms[kind].test(text)) {
    return [
      `OIDC_ADMIN_URL must be a URL such as ${examples[kind]}, but is ${JSON.stringify(url === undefined ? text : `${url.origin}${url.pathname}`)}`,
    ];
  }
  if (kind === 'development' && (url.protocol === 'https:' || !isTrustworthyURL(url))) {
    return [
      `OIDC_ADMIN_URL must be the development issuer on loopback, but is ${text}. The host can change memberships there and at Keycloak (OIDC_PRESET=keycloak); other providers manage them themselves.`,
    ];
  }
  if (!isTrustworthyURL(url))
    return [`OIDC_ADMIN_URL must use https because requests carry a secret (http only on loopback), but is ${text}`];
  return [];
}
