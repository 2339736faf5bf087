/**
 * Who may call: the trusted issuers and how their tokens are read. It comes from `OIDC_*` variables (one issuer) or
 * from the JSON file that `OIDC_CONFIG` names (several issuers, custom mappings); all mistakes are named at once.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { claimMark, presetNames, presets } from './presets.js';
import type { Preset } from './presets.js';
import { developmentProjectAliases } from './project-aliases.js';

/** Signature algorithms that can be allowed: asymmetric ones only, so no shared secret can sign a token. */
const knownAlgorithms = [
  'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519',
] as const;
export type Algorithm = (typeof knownAlgorithms)[number];

export interface IssuerConfiguration extends Preset {
  /** Compared with `iss` byte by byte. */
  readonly issuer: string;
  /** Where its keys are; undefined: its discovery document tells. */
  readonly jwksURI: string | undefined;
  readonly audiences: readonly string[];
  readonly algorithms: readonly Algorithm[];
  readonly clockToleranceSeconds: number;
  /** The oldest `iat` that is accepted; undefined: any age until `exp`. */
  readonly maximumTokenAgeSeconds: number | undefined;
  /** Clients whose tokens are accepted, by `azp` or `client_id`; undefined: any. */
  readonly authorizedParties: readonly string[] | undefined;
  readonly organisationAdminRole: string;
  readonly systemAdminRole: string;
  /** Put before each `sub`, so that equal subjects of two issuers are two people. */
  readonly subjectPrefix: string;
}

export interface AccessConfiguration {
  readonly issuers: readonly IssuerConfiguration[];
  /** Other ids of projects: alias to canonical id. Paths and claims may use either. */
  readonly projectAliases: ReadonlyMap<string, string>;
}

export interface AccessConfigurationReading {
  /** Present exactly when there are no problems. */
  readonly configuration: AccessConfiguration | undefined;
  /** One sentence for each mistake: the variable, what was expected and what was found. */
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
  subjectPrefix: z.string().regex(/^[A-Za-z0-9_.:-]{0,40}$/).default(''),
  rolesClaim: z.string().min(1).optional(),
  groupsClaim: z.string().min(1).optional(),
  projectsClaim: z.string().min(1).optional(),
  nameClaims: words.optional(),
  headerTypes: z.array(z.string().toLowerCase()).min(1).optional(),
  payloadType: z.string().min(1).nullable().optional(),
  idTokenClaims: z.array(z.string()).optional(),
  serviceAccountMarks: z.array(claimMark).optional(),
});

const accessFile = z.strictObject({
  issuers: z.array(issuerSettings).min(1),
  projectAliases: z.record(z.string(), z.string()).optional(),
});

type AccessSettings = z.infer<typeof accessFile>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole access configuration. Opens the file of `OIDC_CONFIG` and nothing else; connects to nobody. */
export function readAccessConfiguration(env: Environment): AccessConfigurationReading {
  const problems: string[] = [];
  const settings = env['OIDC_CONFIG'] ? settingsFromFile(env, problems) : settingsFromVariables(env, problems);
  if (settings === undefined) return { configuration: undefined, problems };
  const issuers = settings.issuers.map(withPreset);
  problems.push(...issuers.flatMap(problemsOfIssuer), ...problemsAmongIssuers(issuers), ...problemsOfTransport(issuers, env));
  if (problems.length > 0) return { configuration: undefined, problems };
  const projectAliases = new Map(Object.entries(settings.projectAliases ?? developmentProjectAliases));
  return { configuration: { issuers, projectAliases }, problems };
}

function settingsFromFile(env: Environment, problems: string[]): AccessSettings | undefined {
  const path = env['OIDC_CONFIG'] as string;
  if (env['OIDC_ISSUER']) {
    problems.push('OIDC_CONFIG and OIDC_ISSUER are both set: expected one of them, since the file names its issuers.');
  }
  try {
    return parse(accessFile, JSON.parse(readFileSync(path, 'utf8')), (where) => `OIDC_CONFIG (${path}) at ${where}`, problems);
  } catch (error) {
    problems.push(`OIDC_CONFIG: expected a JSON file at ${path}, found: ${(error as Error).message}`);
    return undefined;
  }
}

/** Which variable holds which setting, and how its text is read. */
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
  organisationAdminRole: { variable: 'OIDC_ORG_ADMIN_ROLE', read: (text) => text },
  systemAdminRole: { variable: 'OIDC_SYSTEM_ADMIN_ROLE', read: (text) => text },
};

function settingsFromVariables(env: Environment, problems: string[]): AccessSettings | undefined {
  if (!env['OIDC_ISSUER']) {
    problems.push('OIDC_ISSUER: expected the URL of the OpenID Connect issuer, or OIDC_CONFIG with a file that names several; found neither.');
  }
  const given = Object.entries(variables)
    .map(([setting, { variable, read }]) => [setting, env[variable] ? read(env[variable]) : undefined] as const)
    .filter(([, value]) => value !== undefined);
  const nameOf = (where: string) => variables[where]?.variable ?? where;
  // A placeholder stands for the missing issuer, so that the other mistakes are found in the same run.
  const settings = parse(
    issuerSettings,
    { issuer: 'https://issuer.invalid', ...Object.fromEntries(given) },
    (where) => nameOf(where.split('.')[0] as string),
    problems,
  );
  return settings && { issuers: [settings] };
}

function list(text: string): string[] {
  return text.split(',').map((word) => word.trim()).filter((word) => word !== '');
}

/** Text that is no number stays text, so that the schema names what was expected. */
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
  problems.push(...result.error.issues.map((issue) => `${nameOf(issue.path.join('.') || 'the top')}: ${issue.message}.`));
  return undefined;
}

function withPreset(settings: z.infer<typeof issuerSettings>): IssuerConfiguration {
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
    projectsClaim: settings.projectsClaim ?? preset.projectsClaim,
    nameClaims: settings.nameClaims ?? preset.nameClaims,
    headerTypes: settings.headerTypes ?? preset.headerTypes,
    payloadType: settings.payloadType === undefined ? preset.payloadType : settings.payloadType,
    idTokenClaims: settings.idTokenClaims ?? preset.idTokenClaims,
    serviceAccountMarks: settings.serviceAccountMarks ?? preset.serviceAccountMarks,
  };
}

function problemsOfIssuer(issuer: IssuerConfiguration): string[] {
  const problems = [...problemsOfURL('the issuer', issuer.issuer)];
  if (issuer.jwksURI !== undefined) problems.push(...problemsOfURL('jwksURI', issuer.jwksURI));
  if (issuer.organisationAdminRole === issuer.systemAdminRole) {
    problems.push(`OIDC_ORG_ADMIN_ROLE and OIDC_SYSTEM_ADMIN_ROLE: expected two different roles, found ${issuer.systemAdminRole} for both.`);
  }
  return problems;
}

function problemsOfURL(what: string, text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return [`${what}: expected an absolute https URL, found ${JSON.stringify(text)}.`];
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return [`${what}: expected a URL without credentials and fragment, found ${url.origin}${url.pathname} with them.`];
  }
  if (!isTrustworthyURL(url)) {
    return [`${what}: expected https, since its keys decide who may enter (http is accepted on loopback alone); found ${text}.`];
  }
  return [];
}

/** https anywhere, or http that does not leave this machine. */
export function isTrustworthyURL(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** RFC 6761 section 6.3 keeps `localhost` and all names below it for loopback; containers of one machine share them as aliases. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function problemsAmongIssuers(issuers: readonly IssuerConfiguration[]): string[] {
  const problems: string[] = [];
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) {
    problems.push('OIDC_CONFIG: expected each issuer once, found one twice.');
  }
  const prefixes = issuers.map(({ subjectPrefix }) => subjectPrefix);
  const clash = prefixes.some((prefix, index) => prefixes.some((other, at) => at !== index && prefix.startsWith(other) && other !== ''))
    || prefixes.filter((prefix) => prefix === '').length > 1;
  if (clash) {
    problems.push('OIDC_CONFIG: expected a subjectPrefix for every issuer but one, none the beginning of another, so that equal subjects of two issuers stay two people.');
  }
  return problems;
}

function problemsOfTransport(issuers: readonly IssuerConfiguration[], env: Environment): string[] {
  const leavesTheMachine = issuers.some(({ issuer }) => URL.canParse(issuer) && !isLoopback(new URL(issuer).hostname));
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0' || !leavesTheMachine) return [];
  return ['NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pretend to be the issuer: unset it, and give the certificate of a private authority with NODE_EXTRA_CA_CERTS.'];
}
