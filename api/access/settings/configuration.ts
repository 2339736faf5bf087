/**
 * Access to the API: the trusted issuers and how their tokens are read. The settings come from `OIDC_*` variables
 * (one issuer) or from the JSON file that `OIDC_CONFIG` names (several issuers, custom mappings). All mistakes are
 * reported at once.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { administrationOfVariables, administrationSettings, completeAdministration } from './administration.js';
import type { IssuerAdministration } from './administration.js';
import { problemsOfIssuers } from './configuration-checks.js';
import { claimMark, presetNames, presets } from './presets.js';
import type { Preset } from './presets.js';
import { developmentProjectAliases } from './project-aliases.js';
import { isRolePattern } from './role-pattern.js';

/** Signature algorithms that can be allowed: asymmetric only, so that no shared secret can sign a token. */
const knownAlgorithms = [
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

export interface IssuerConfiguration extends Preset {
  /** Compared with `iss` byte by byte. */
  readonly issuer: string;
  /** The address of its keys; undefined: taken from its discovery document. */
  readonly jwksURI: string | undefined;
  readonly audiences: readonly string[];
  readonly algorithms: readonly Algorithm[];
  readonly clockToleranceSeconds: number;
  /** The maximum age by `iat`; undefined: any age until `exp`. */
  readonly maximumTokenAgeSeconds: number | undefined;
  /** Clients whose tokens are accepted, by `azp` or `client_id`; undefined: any client. */
  readonly authorizedParties: readonly string[] | undefined;
  readonly organisationAdminRole: string;
  readonly systemAdminRole: string;
  /** Prepended to each `sub`, so that equal subjects of two issuers are two people. */
  readonly subjectPrefix: string;
  /** How the host changes memberships there; undefined: it does not. */
  readonly administration: IssuerAdministration | undefined;
}

export interface AccessConfiguration {
  readonly issuers: readonly IssuerConfiguration[];
  /** Other project ids: alias to canonical id. Paths and claims can use either. */
  readonly projectAliases: ReadonlyMap<string, string>;
}

export interface AccessConfigurationReading {
  /** Present only if there are no problems. */
  readonly configuration: AccessConfiguration | undefined;
  /** One sentence per mistake: the variable, the expected value, and the actual value. */
  readonly problems: readonly string[];
}

const words = z.array(z.string().min(1)).min(1);

const issuerSettings = z.strictObject({
  issuer: z.string().min(1),
  preset: z.enum(presetNames).default('generic'),
  jwksURI: z.string().optional(),
  audiences: words.default(['perdure']),
  algorithms: z.array(z.enum(knownAlgorithms)).min(1).default(['RS256', 'ES256', 'EdDSA']),
  clockToleranceSeconds: z.number().int().min(0).max(300).default(30),
  maximumTokenAgeSeconds: z.number().int().min(1).optional(),
  authorizedParties: words.optional(),
  organisationAdminRole: z.string().min(1).default('admin'),
  systemAdminRole: z.string().min(1).default('system-admin'),
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
    .refine(isRolePattern, {
      error: 'must contain {project} and {role} once each with text between them, such as project-{project}-{role}',
    })
    .nullable()
    .optional(),
  nameClaims: words.optional(),
  headerTypes: z.array(z.string().toLowerCase()).min(1).optional(),
  payloadType: z.string().min(1).nullable().optional(),
  idTokenClaims: z.array(z.string()).optional(),
  serviceAccountMarks: z.array(claimMark).optional(),
  administration: administrationSettings.optional(),
});

const accessFile = z.strictObject({
  issuers: z.array(issuerSettings).min(1),
  projectAliases: z.record(z.string(), z.string()).optional(),
});

type AccessSettings = z.infer<typeof accessFile>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole access configuration. Opens only the file of `OIDC_CONFIG` and connects to nothing. */
export function readAccessConfiguration(env: Environment): AccessConfigurationReading {
  const problems: string[] = [];
  const settings = env['OIDC_CONFIG'] ? settingsFromFile(env, problems) : settingsFromVariables(env, problems);
  if (settings === undefined) return { configuration: undefined, problems };
  const issuers = settings.issuers.map((issuer) => complete(issuer, env, problems));
  problems.push(...problemsOfIssuers(issuers, env));
  if (problems.length > 0) return { configuration: undefined, problems };
  const projectAliases = new Map(Object.entries(settings.projectAliases ?? developmentProjectAliases));
  return { configuration: { issuers, projectAliases }, problems };
}

function settingsFromFile(env: Environment, problems: string[]): AccessSettings | undefined {
  const path = env['OIDC_CONFIG'] as string;
  if (env['OIDC_ISSUER']) {
    problems.push('OIDC_CONFIG and OIDC_ISSUER are both set. Unset one of them: the file names its issuers.');
  }
  try {
    return parse(
      accessFile,
      JSON.parse(readFileSync(path, 'utf8')),
      (where) => `OIDC_CONFIG (${path}) at ${where}`,
      problems,
    );
  } catch (error) {
    problems.push(`OIDC_CONFIG: cannot read a JSON file at ${path}: ${(error as Error).message}`);
    return undefined;
  }
}

/** The variable of each setting, and how its text is parsed. */
const variables: Readonly<Record<string, { variable: string; read: (text: string) => unknown }>> = {
  issuer: { variable: 'OIDC_ISSUER', read: (text) => text },
  preset: { variable: 'OIDC_PRESET', read: (text) => text },
  audiences: { variable: 'OIDC_AUDIENCE', read: list },
  algorithms: { variable: 'OIDC_ALGORITHMS', read: list },
  clockToleranceSeconds: { variable: 'OIDC_CLOCK_TOLERANCE_SECONDS', read: number },
  maximumTokenAgeSeconds: { variable: 'OIDC_MAX_TOKEN_AGE_SECONDS', read: number },
  authorizedParties: { variable: 'OIDC_AUTHORIZED_PARTIES', read: list },
  rolesClaim: { variable: 'OIDC_ROLES_CLAIM', read: (text) => text },
  groupsClaim: { variable: 'OIDC_GROUPS_CLAIM', read: (text) => text },
  projectsClaim: { variable: 'OIDC_PROJECTS_CLAIM', read: (text) => text },
  projectRoleClaim: { variable: 'OIDC_PROJECT_ROLE_CLAIM', read: (text) => text },
  projectRolePattern: { variable: 'OIDC_PROJECT_ROLE_PATTERN', read: (text) => text },
  organisationAdminRole: { variable: 'OIDC_ORG_ADMIN_ROLE', read: (text) => text },
  systemAdminRole: { variable: 'OIDC_SYSTEM_ADMIN_ROLE', read: (text) => text },
};

function settingsFromVariables(env: Environment, problems: string[]): AccessSettings | undefined {
  if (!env['OIDC_ISSUER']) {
    problems.push(
      'OIDC_ISSUER: not set. Set it to the URL of the OpenID Connect issuer, or set OIDC_CONFIG to a file that names several issuers.',
    );
  }
  const given = Object.entries(variables)
    .map(([setting, { variable, read }]) => [setting, env[variable] ? read(env[variable]) : undefined] as const)
    .filter(([, value]) => value !== undefined);
  const administration = administrationOfVariables(env, env['OIDC_PRESET']);
  const nameOf = (where: string) =>
    variables[where]?.variable ??
    (where === 'administration' ? 'OIDC_ADMIN_URL, ..._CLIENT_ID and ..._CLIENT_SECRET' : where);
  // A placeholder replaces the missing issuer, so that the other mistakes are found in the same run.
  const settings = parse(
    issuerSettings,
    { issuer: 'https://issuer.invalid', ...Object.fromEntries(given), ...(administration && { administration }) },
    (where) => nameOf(where.split('.')[0] as string),
    problems,
  );
  return settings && { issuers: [settings] };
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Text that is not a number stays text, so that the schema reports what it expected. */
function number(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  nameOf: (where: string) => string,
  problems: string[],
): z.output<Schema> | undefined {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  problems.push(
    ...result.error.issues.map((issue) => `${nameOf(issue.path.join('.') || 'the top level')}: ${issue.message}`),
  );
  return undefined;
}

function complete(settings: z.infer<typeof issuerSettings>, env: Environment, problems: string[]): IssuerConfiguration {
  const preset = presets[settings.preset];
  return {
    issuer: settings.issuer,
    jwksURI: settings.jwksURI,
    audiences: settings.audiences,
    algorithms: settings.algorithms,
    clockToleranceSeconds: settings.clockToleranceSeconds,
    maximumTokenAgeSeconds: settings.maximumTokenAgeSeconds,
    authorizedParties: settings.authorizedParties,
    organisationAdminRole: settings.organisationAdminRole,
    systemAdminRole: settings.systemAdminRole,
    subjectPrefix: settings.subjectPrefix,
    rolesClaim: settings.rolesClaim ?? preset.rolesClaim,
    groupsClaim: settings.groupsClaim ?? preset.groupsClaim,
    groupPrefix: settings.groupPrefix ?? preset.groupPrefix,
    projectsClaim: settings.projectsClaim ?? preset.projectsClaim,
    projectRoleClaim: settings.projectRoleClaim ?? preset.projectRoleClaim,
    projectRolePattern:
      settings.projectRolePattern === undefined ? preset.projectRolePattern : settings.projectRolePattern,
    nameClaims: settings.nameClaims ?? preset.nameClaims,
    headerTypes: settings.headerTypes ?? preset.headerTypes,
    payloadType: settings.payloadType === undefined ? preset.payloadType : settings.payloadType,
    idTokenClaims: settings.idTokenClaims ?? preset.idTokenClaims,
    serviceAccountMarks: settings.serviceAccountMarks ?? preset.serviceAccountMarks,
    administration:
      settings.administration && completeAdministration(settings.administration, settings.issuer, env, problems),
  };
}
