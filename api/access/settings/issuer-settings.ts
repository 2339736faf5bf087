/** The settings of an issuer, as the file that `OIDC_CONFIG` names has them. */
import { z } from 'zod';
import { administrationSettings } from './administration.js';
import { claimMark, presetNames } from './presets.js';
import { isRolePattern, rolePatternExpected } from './role-pattern.js';

/** Signature algorithms that can be allowed: asymmetric only, so that no shared secret can sign a token. */
export const knownAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
export type Algorithm = (typeof knownAlgorithms)[number];

/** Shared by the file and the variables. */
export const issuerDefaults = {
  preset: 'generic' as const,
  audiences: ['perdure'],
  algorithms: ['RS256', 'ES256', 'EdDSA'] satisfies Algorithm[] as Algorithm[],
  clockToleranceSeconds: 30,
  organizationAdminRole: 'admin',
  systemAdminRole: 'system-admin',
};

const words = z.array(z.string().min(1)).min(1);

const issuerSettings = z.strictObject({
  issuer: z.string().min(1),
  preset: z.enum(presetNames).default(issuerDefaults.preset),
  jwksURI: z.string().optional(),
  audiences: words.default(issuerDefaults.audiences),
  algorithms: z.array(z.enum(knownAlgorithms)).min(1).default(issuerDefaults.algorithms),
  clockToleranceSeconds: z.number().int().min(0).max(300).default(issuerDefaults.clockToleranceSeconds),
  maximumTokenAgeSeconds: z.number().int().min(1).optional(),
  authorizedParties: words.optional(),
  organizationAdminRole: z.string().min(1).default(issuerDefaults.organizationAdminRole),
  systemAdminRole: z.string().min(1).default(issuerDefaults.systemAdminRole),
  subjectPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{0,40}$/)
    .default(''),
  rolesClaim: z.string().min(1).optional(),
  groupsClaim: z.string().min(1).optional(),
  groupPrefix: z.string().optional(),
  projectsClaim: z.string().min(1).optional(),
  projectRoleClaim: z.string().min(1).optional(),
  projectRolePattern: z
    .string()
    .refine(isRolePattern, { error: `must be ${rolePatternExpected}` })
    .nullable()
    .optional(),
  nameClaims: words.optional(),
  headerTypes: z.array(z.string().toLowerCase()).min(1).optional(),
  payloadType: z.string().min(1).nullable().optional(),
  idTokenClaims: z.array(z.string()).optional(),
  serviceAccountMarks: z.array(claimMark).optional(),
  administration: administrationSettings.optional(),
});

export const accessFile = z.strictObject({
  issuers: z.array(issuerSettings).min(1),
  projectAliases: z.record(z.string(), z.string()).optional(),
});

export type IssuerSettings = z.infer<typeof issuerSettings>;
export type AccessSettings = z.infer<typeof accessFile>;
