import { z } from 'zod';

/** One condition on a claim. A mark with several members of `equals...` needs all of them. */
export const claimMark = z.strictObject({
  claim: z.string().min(1),
  equals: z.string().optional(),
  startsWith: z.string().min(1).optional(),
  /** The value must equal this other claim. */
  equalsClaim: z.string().min(1).optional(),
});
export type ClaimMark = z.infer<typeof claimMark>;

/** Where a provider puts what the host needs, and how its access tokens differ from its other tokens. */
export interface Preset {
  /** Claim names; a name that is no claim itself is read as a path with dots. */
  readonly rolesClaim: string;
  readonly groupsClaim: string;
  readonly projectsClaim: string;
  readonly nameClaims: readonly string[];
  /** Values of the `typ` header of an access token, lower case; '' stands for no such header. */
  readonly headerTypes: readonly string[];
  /** The `typ` claim an access token must carry; null when the provider has no such claim. */
  readonly payloadType: string | null;
  /** Claims that only an ID token has. */
  readonly idTokenClaims: readonly string[];
  /** All of them must hold for a caller to be labelled a service account. */
  readonly serviceAccountMarks: readonly ClaimMark[];
}

export const presetNames = ['generic', 'keycloak', 'zitadel', 'auth0', 'entra', 'okta'] as const;
export type PresetName = (typeof presetNames)[number];

const generic: Preset = {
  rolesClaim: 'roles',
  groupsClaim: 'groups',
  projectsClaim: 'projects',
  nameClaims: ['name', 'preferred_username'],
  headerTypes: ['', 'jwt', 'at+jwt', 'application/at+jwt'],
  payloadType: null,
  idTokenClaims: ['nonce', 'at_hash', 'c_hash', 's_hash'],
  // RFC 9068 section 2.2: without a resource owner, `sub` is the client itself.
  serviceAccountMarks: [{ claim: 'client_id', equalsClaim: 'sub' }],
};

export const presets: Readonly<Record<PresetName, Preset>> = {
  generic,
  keycloak: {
    ...generic,
    rolesClaim: 'realm_access.roles',
    // Keycloak names the kind of every token it signs: Bearer, ID, Refresh, Offline. Before version 25 its access
    // tokens carried the nonce of the login, so the nonce marks nothing here.
    payloadType: 'Bearer',
    idTokenClaims: ['at_hash', 'c_hash', 's_hash'],
    serviceAccountMarks: [{ claim: 'preferred_username', startsWith: 'service-account-' }, { claim: 'client_id' }],
  },
  zitadel: {
    ...generic,
    // An object whose keys are the roles.
    rolesClaim: 'urn:zitadel:iam:org:project:roles',
  },
  auth0: {
    ...generic,
    // Auth0 drops custom claims without a namespace from some tokens.
    rolesClaim: 'https://perdure/roles',
    groupsClaim: 'https://perdure/groups',
    projectsClaim: 'https://perdure/projects',
    serviceAccountMarks: [{ claim: 'gty', equals: 'client-credentials' }],
  },
  entra: {
    ...generic,
    serviceAccountMarks: [{ claim: 'idtyp', equals: 'app' }],
  },
  okta: {
    ...generic,
    serviceAccountMarks: [{ claim: 'cid', equalsClaim: 'sub' }],
  },
};
