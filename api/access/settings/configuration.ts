/**
 * Access to the API: the trusted issuers and how their tokens are read. The settings come from `OIDC_*` variables
 * (one issuer) or from the JSON file that `OIDC_CONFIG` names (several issuers, custom mappings). All mistakes are
 * reported at once.
 */
import { readSection } from '@perdure/configuration/read.js';
import type { Environment } from '@perdure/configuration/variable.js';
import { completeAdministration, type AdministrationSettings } from './administration.js';
import { problemsOfIssuers } from './configuration-checks.js';
import { readAccessFile, type FileReading } from './file.js';
import type { IssuerConfiguration } from './issuer-configuration.js';
import type { IssuerSettings } from './issuer-settings.js';
import { presets } from './presets.js';
import { developmentProjectAliases } from './project-aliases.js';
import { accessSection, type AccessValues } from './variables.js';

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

const secretVariable = 'OIDC_ADMIN_CLIENT_SECRET';

/** Reads the whole access configuration. Opens only the file of `OIDC_CONFIG` and connects to nothing. */
export function readAccessConfiguration(env: Environment): AccessConfigurationReading {
  const { settings, problems: found } = readSettings(env);
  const problems = [...found];
  const issuers = settings?.issuers.map((issuer) => complete(issuer, env, problems));
  if (issuers) problems.push(...problemsOfIssuers(issuers, env));
  if (!settings || !issuers || problems.length > 0) return { configuration: undefined, problems };
  const projectAliases = new Map(Object.entries(settings.projectAliases ?? developmentProjectAliases));
  return { configuration: { issuers, projectAliases }, problems };
}

function readSettings(env: Environment): FileReading {
  const { values, problems } = readSection(accessSection, env);
  const { OIDC_CONFIG: path, OIDC_ISSUER: issuer } = values;
  if (path === undefined) return settingsOfVariables(values, problems);
  const file = readAccessFile(path);
  const both = issuer
    ? ['OIDC_CONFIG and OIDC_ISSUER are both set. Unset one of them: the file names its issuers.']
    : [];
  return { ...file, problems: [...both, ...file.problems] };
}

/** With an invalid variable, there are no settings to check further. */
function settingsOfVariables(values: Partial<AccessValues>, invalid: readonly string[]): FileReading {
  const missing = values.OIDC_ISSUER
    ? []
    : [
        'OIDC_ISSUER is not set; it must be the URL of the OpenID Connect issuer, unless OIDC_CONFIG names a file with several issuers',
      ];
  const { administration, problems } = administrationOfVariables(values);
  const settings =
    invalid.length + problems.length === 0
      ? { issuers: [toIssuerSettings(values as AccessValues, administration)] }
      : undefined;
  return { settings, problems: [...missing, ...invalid, ...problems] };
}

/** The settings from `OIDC_ADMIN_URL`, `..._CLIENT_ID`, and `..._CLIENT_SECRET`; undefined when none of them is set. */
function administrationOfVariables(values: Partial<AccessValues>): {
  administration: AdministrationSettings | undefined;
  problems: string[];
} {
  const { OIDC_ADMIN_URL: url, OIDC_ADMIN_CLIENT_ID: clientID, OIDC_ADMIN_CLIENT_SECRET: secret } = values;
  if (!url && !clientID && !secret) return { administration: undefined, problems: [] };
  if (values.OIDC_PRESET !== 'keycloak')
    return { administration: { kind: 'development', secretVariable, url: url ?? '' }, problems: [] };
  if (!clientID)
    return {
      administration: undefined,
      problems: [
        'OIDC_ADMIN_CLIENT_ID is not set; it must be the id of the client with which the host changes project members',
      ],
    };
  return { administration: { kind: 'keycloak', secretVariable, clientID, url }, problems: [] };
}

function toIssuerSettings(values: AccessValues, administration: IssuerSettings['administration']): IssuerSettings {
  return {
    // A placeholder replaces the missing issuer, so that the other mistakes are found in the same run.
    issuer: values.OIDC_ISSUER ?? 'https://issuer.invalid',
    preset: values.OIDC_PRESET,
    audiences: values.OIDC_AUDIENCE,
    algorithms: values.OIDC_ALGORITHMS,
    clockToleranceSeconds: values.OIDC_CLOCK_TOLERANCE_SECONDS,
    maximumTokenAgeSeconds: values.OIDC_MAX_TOKEN_AGE_SECONDS,
    authorizedParties: values.OIDC_AUTHORIZED_PARTIES,
    organizationAdminRole: values.OIDC_ORG_ADMIN_ROLE,
    systemAdminRole: values.OIDC_SYSTEM_ADMIN_ROLE,
    subjectPrefix: '',
    rolesClaim: values.OIDC_ROLES_CLAIM,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    projectsClaim: values.OIDC_PROJECTS_CLAIM,
    projectRoleClaim: values.OIDC_PROJECT_ROLE_CLAIM,
    projectRolePattern: values.OIDC_PROJECT_ROLE_PATTERN,
    administration,
  };
}

function complete(settings: IssuerSettings, env: Environment, problems: string[]): IssuerConfiguration {
  const preset = presets[settings.preset];
  return {
    issuer: settings.issuer,
    jwksURI: settings.jwksURI,
    audiences: settings.audiences,
    algorithms: settings.algorithms,
    clockToleranceSeconds: settings.clockToleranceSeconds,
    maximumTokenAgeSeconds: settings.maximumTokenAgeSeconds,
    authorizedParties: settings.authorizedParties,
    organizationAdminRole: settings.organizationAdminRole,
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
    serviceAccountMarks: settings.serviceAccountMarks ? [settings.serviceAccountMarks] : preset.serviceAccountMarks,
    administration:
      settings.administration && completeAdministration(settings.administration, settings.issuer, env, problems),
  };
}
