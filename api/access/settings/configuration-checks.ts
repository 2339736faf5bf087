/** Checks that schemas cannot express: issuer addresses, roles, and prefixes that would admit the wrong people. */
import { reservedPrefixOf } from '../../../store/audit/machine-actors.js';
import type { Environment } from '@perdure/configuration/variable.js';
import type { IssuerConfiguration } from './issuer-configuration.js';
import { isTrustworthyURL } from '@perdure/lib/trust/trustworthy-url.js';

/** One sentence for each mistake. */
export function problemsOfIssuers(issuers: readonly IssuerConfiguration[], env: Environment): string[] {
  const nameOfIssuer = env['OIDC_CONFIG'] ? 'An issuer in OIDC_CONFIG' : 'OIDC_ISSUER';
  return [...issuers.flatMap((issuer) => problemsOfIssuer(issuer, nameOfIssuer)), ...problemsAmongIssuers(issuers)];
}

function problemsOfIssuer(issuer: IssuerConfiguration, nameOfIssuer: string): string[] {
  const problems = [...problemsOfURL(nameOfIssuer, issuer.issuer)];
  if (issuer.jwksURI !== undefined) problems.push(...problemsOfURL('jwksURI', issuer.jwksURI));
  if (issuer.organizationAdminRole === issuer.systemAdminRole) {
    problems.push(
      `OIDC_ORG_ADMIN_ROLE and OIDC_SYSTEM_ADMIN_ROLE must be different roles, but both are ${issuer.systemAdminRole}`,
    );
  }
  problems.push(...problemsOfKeycloak(issuer));
  return problems;
}

/** Memberships must be written to the groups that tokens are read for. */
function problemsOfKeycloak({ administration, projectRolePattern }: IssuerConfiguration): string[] {
  if (administration?.kind !== 'keycloak' || projectRolePattern?.startsWith('/')) return [];
  return [
    `OIDC_PROJECT_ROLE_PATTERN must be the path of a group such as /projects/{project}/{role}, because memberships are Keycloak groups, but is ${JSON.stringify(projectRolePattern)}`,
  ];
}

function problemsOfURL(what: string, text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return [`${what} must be an absolute https URL, but is ${JSON.stringify(text)}`];
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return [`${what} must be a URL without credentials and fragment, but ${url.origin}${url.pathname} has them`];
  }
  if (!isTrustworthyURL(url)) {
    return [`${what} must use https because its keys decide who has access (http only on loopback), but is ${text}`];
  }
  return [];
}

function problemsAmongIssuers(issuers: readonly IssuerConfiguration[]): string[] {
  const problems: string[] = [];
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length) {
    problems.push('OIDC_CONFIG must name each issuer once, but names one of them twice');
  }
  const prefixes = issuers.map(({ subjectPrefix }) => subjectPrefix);
  const clash =
    prefixes.some((prefix, index) =>
      prefixes.some((other, at) => at !== index && prefix.startsWith(other) && other !== ''),
    ) || prefixes.filter((prefix) => prefix === '').length > 1;
  if (clash) {
    problems.push(
      'Every issuer in OIDC_CONFIG but one needs a subjectPrefix, and none can be the beginning of another. Otherwise, equal subjects of two issuers would be the same person.',
    );
  }
  const reserved = prefixes.flatMap((prefix) => reservedPrefixOf(prefix) ?? []);
  if (reserved.length > 0) {
    problems.push(
      `subjectPrefix in OIDC_CONFIG must not begin with ${reserved.join(' or ')}. The audit log has such names for the host itself.`,
    );
  }
  return problems;
}
