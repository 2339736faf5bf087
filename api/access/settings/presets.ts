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

/** The claims in which a provider puts what the host needs, and how its access tokens differ from its other tokens. */
export interface Preset {
  /** Claim names; a name that is not a claim itself is read as a dotted path. */
  readonly rolesClaim: string;
  readonly groupsClaim: string;
  /** Prefix of each group in the claim that is not part of its name. */
  readonly groupPrefix: string;
  readonly projectsClaim: string;
  /** The claim whose words can name roles in projects, in addition to the projects claim. */
  readonly projectRoleClaim: string;
  /** The pattern of such words, for example `project-{project}-{role}`; or null. */
  readonly projectRolePattern: string | null;
  readonly nameClaims: readonly string[];
  /** Values of the `typ` header of an access token, in lower case; '' means no such header. */
  readonly headerTypes: readonly string[];
  /** The `typ` claim that an access token must carry; null when the provider has no such claim. */
  readonly payloadType: string | null;
  /** Claims that only an ID token has. */
  readonly idTokenClaims: readonly string[];
  /** All marks of one group must hold for a caller to be labeled as a service account. */
  readonly serviceAccountMarks: readonly (readonly ClaimMark[])[];
}

export const presetNames = ['generic', 'keycloak', 'zitadel', 'auth0', 'entra', 'okta'] as const;
export type PresetName = (typeof presetNames)[number];

const byClientCredentials: ClaimMark = { claim: 'gty', equals: 'client-credentials' };

const generic: Preset = {
  rolesClaim: 'roles',
  groupsClaim: 'groups',
  groupPrefix: '',
  projectsClaim: 'projects',
  projectRoleClaim: 'roles',
  projectRolePattern: null,
  nameClaims: ['name', 'preferred_username'],
  headerTypes: ['', 'jwt', 'at+jwt', 'application/at+jwt'],
  payloadType: null,
  idTokenClaims: ['nonce', 'at_hash', 'c_hash', 's_hash'],
  // RFC 9068 section 2.2: without a resource owner, `sub` is the client itself. Other issuers name the grant.
  serviceAccountMarks: [[{ claim: 'client_id', equalsClaim: 'sub' }], [byClientCredentials]],
};

/** For providers whose tokens can carry only plain words. */
const plainWords = 'project-{project}-{role}';

export const presets: Readonly<Record<PresetName, Preset>> = {
  generic,
  keycloak: {
    ...generic,
    rolesClaim: 'realm_access.roles',
    // Groups are paths, and memberships are groups: see ADR 26.
    groupPrefix: '/',
    projectRoleClaim: 'groups',
    projectRolePattern: '/projects/{project}/{role}',
    // Keycloak writes the kind of token into every token: Bearer, ID, Refresh, Offline. Before version 25, its access
    // tokens carried the nonce of the login, so the nonce does not identify ID tokens here.
    payloadType: 'Bearer',
    idTokenClaims: ['at_hash', 'c_hash', 's_hash'],
    serviceAccountMarks: [[{ claim: 'preferred_username', startsWith: 'service-account-' }, { claim: 'client_id' }]],
  },
  zitadel: {
    ...generic,
    // An object whose keys are the roles.
    rolesClaim: 'urn:zitadel:iam:org:project:roles',
    projectRoleClaim: 'urn:zitadel:iam:org:project:roles',
    projectRolePattern: plainWords,
  },
  auth0: {
    ...generic,
    // Auth0 drops custom claims without a namespace from some tokens.
    rolesClaim: 'https://perdure/roles',
    groupsClaim: 'https://perdure/groups',
    projectsClaim: 'https://perdure/projects',
    projectRoleClaim: 'https://perdure/roles',
    projectRolePattern: plainWords,
    serviceAccountMarks: [[byClientCredentials]],
  },
  entra: {
    ...generic,
    // App roles, never groups: in Entra, people can create groups themselves.
    projectRolePattern: plainWords,
    serviceAccountMarks: [[{ claim: 'idtyp', equals: 'app' }]],
  },
  okta: {
    ...generic,
    projectRoleClaim: 'groups',
    projectRolePattern: plainWords,
    serviceAccountMarks: [[{ claim: 'cid', equalsClaim: 'sub' }]],
  },
};
