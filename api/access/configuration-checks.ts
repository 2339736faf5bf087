/** What schemas cannot say about issuers: addresses, roles and prefixes that would let the wrong people in. */
import type { Environment, IssuerConfiguration } from './configuration.js';
import { isLoopback, isTrustworthyURL } from './trustworthy-url.js';

/** One sentence for each mistake. */
export function problemsOfIssuers(issuers: readonly IssuerConfiguration[], env: Environment): string[] {
  return [...issuers.flatMap(problemsOfIssuer), ...problemsAmongIssuers(issuers), ...problemsOfTransport(issuers, env)];
}

function problemsOfIssuer(issuer: IssuerConfiguration): string[] {
  const problems = [...problemsOfURL('the issuer', issuer.issuer)];
  if (issuer.jwksURI !== undefined) problems.push(...problemsOfURL('jwksURI', issuer.jwksURI));
  if (issuer.organisationAdminRole === issuer.systemAdminRole) {
    problems.push(`OIDC_ORG_ADMIN_ROLE and OIDC_SYSTEM_ADMIN_ROLE: expected two different roles, found ${issuer.systemAdminRole} for both.`);
  }
  problems.push(...problemsOfKeycloak(issuer));
  return problems;
}

/** The groups that are written must be those that tokens are read for. */
function problemsOfKeycloak({ administration, projectRolePattern }: IssuerConfiguration): string[] {
  if (administration?.kind !== 'keycloak' || projectRolePattern?.startsWith('/')) return [];
  return [`OIDC_PROJECT_ROLE_PATTERN: expected the path of a group such as /projects/{project}/{role}, since memberships are kept as groups of Keycloak; found ${JSON.stringify(projectRolePattern)}.`];
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
