/** The `OIDC_*` variables: one issuer, or the file that names several. */
import { z } from 'zod';
import { nonEmptyList, oneOf, text, wholeNumber, type Kind } from '@perdure/configuration/kinds.js';
import { variable, type Role, type ValuesOf } from '@perdure/configuration/variable.js';
import { issuerDefaults, knownAlgorithms } from './issuer-settings.js';
import { presetNames } from './presets.js';
import { isRolePattern, rolePatternExpected } from './role-pattern.js';

const roles: readonly Role[] = ['api'];
const claim = text('the name of a claim');
const rolePattern: Kind<string> = { schema: z.string().refine(isRolePattern), expected: rolePatternExpected };
const words = (expected: string) => nonEmptyList(`a comma-separated list of ${expected}`, z.string());

export const accessSection = {
  title: 'Sign-in',
  variables: {
    OIDC_ISSUER: variable({
      kind: text('the https URL of an OpenID Connect issuer (http only on loopback)'),
      roles,
      defaultInWords: 'required unless `OIDC_CONFIG` is set; `npm start` brings up a development issuer',
      description: 'Your identity provider.',
    }),
    OIDC_CONFIG: variable({
      kind: text('the path of a JSON file'),
      roles,
      description: 'Instead of `OIDC_ISSUER`, for [several issuers](#several-issuers) or custom claim mappings.',
    }),
    OIDC_AUDIENCE: variable({
      kind: words('audiences'),
      default: issuerDefaults.audiences.join(),
      roles,
      description: 'Accepted values of `aud`.',
    }),
    OIDC_PRESET: variable({
      kind: oneOf(presetNames),
      default: issuerDefaults.preset,
      roles,
      description:
        'Claim names of a provider: [`keycloak`](how-to/use-keycloak.md), [`zitadel`](how-to/use-zitadel.md), [`auth0`](how-to/use-auth0.md), [`entra`](how-to/use-entra.md), [`okta`](how-to/use-okta.md).',
    }),
    OIDC_ROLES_CLAIM: variable({
      kind: claim,
      roles,
      defaultInWords: 'by preset; `generic`: `roles`',
      description: 'Claim that holds organization roles.',
    }),
    OIDC_GROUPS_CLAIM: variable({
      kind: claim,
      roles,
      defaultInWords: 'by preset; `generic`: `groups`',
      description: 'Claim that holds groups.',
    }),
    OIDC_PROJECTS_CLAIM: variable({
      kind: claim,
      roles,
      defaultInWords: 'by preset; `generic`: `projects`',
      description: 'Claim that holds project memberships.',
    }),
    OIDC_PROJECT_ROLE_PATTERN: variable({
      kind: rolePattern,
      roles,
      defaultInWords: 'by preset',
      description: 'Pattern of memberships that are written as plain words.',
    }),
    OIDC_PROJECT_ROLE_CLAIM: variable({
      kind: claim,
      roles,
      defaultInWords: 'by preset; `generic`: `roles`',
      description: 'Claim that holds these words.',
    }),
    OIDC_ORG_ADMIN_ROLE: variable({
      kind: text('the name of a role'),
      default: issuerDefaults.organizationAdminRole,
      roles,
      description: 'Organization role that can create projects.',
    }),
    OIDC_SYSTEM_ADMIN_ROLE: variable({
      kind: text('the name of a role'),
      default: issuerDefaults.systemAdminRole,
      roles,
      description: 'Organization role that is admin in every project.',
    }),
    OIDC_ALGORITHMS: variable({
      kind: nonEmptyList(`a comma-separated list of ${knownAlgorithms.join(', ')}`, z.enum(knownAlgorithms)),
      default: issuerDefaults.algorithms.join(),
      roles,
      description: 'Accepted signature algorithms.',
    }),
    OIDC_CLOCK_TOLERANCE_SECONDS: variable({
      kind: wholeNumber(0, 300),
      default: String(issuerDefaults.clockToleranceSeconds),
      roles,
      description: 'Clock skew tolerance in seconds.',
    }),
    OIDC_MAX_TOKEN_AGE_SECONDS: variable({
      kind: wholeNumber(1, 999_999_999),
      roles,
      description: 'Maximum age of a token in seconds, by `iat`.',
    }),
    OIDC_AUTHORIZED_PARTIES: variable({
      kind: words('client ids'),
      roles,
      defaultInWords: 'any',
      description: 'Clients whose tokens are accepted, by `azp` or `client_id`.',
    }),
    OIDC_ADMIN_CLIENT_ID: variable({
      kind: text('the id of the client with which the host changes project members'),
      roles,
      description:
        'Client with which the host changes project members at Keycloak. If unset, members are managed at the provider only.',
    }),
    OIDC_ADMIN_CLIENT_SECRET: variable({
      kind: text('the secret of that client'),
      roles,
      isSecret: true,
      description: 'Secret of `OIDC_ADMIN_CLIENT_ID`.',
    }),
    OIDC_ADMIN_URL: variable({
      kind: text('the URL of the realm in the admin API, such as https://id.example/admin/realms/main'),
      roles,
      defaultInWords: 'derived from the issuer',
      description: 'Where the host changes project members.',
    }),
  },
};

export type AccessValues = ValuesOf<(typeof accessSection)['variables']>;
