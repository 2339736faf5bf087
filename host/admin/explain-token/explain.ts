/** Explains a token in sentences. They never repeat the token or a claim that the host does not read. */
import { decodeJwt } from 'jose';
import { createAuthenticator } from '../../../api/access/authenticator.js';
import type { Caller } from '../../../api/access/caller.js';
import { readClaim, wordsOf } from '../../../api/access/claims.js';
import type { AccessConfiguration } from '../../../api/access/settings/configuration.js';
import type { IssuerConfiguration } from '../../../api/access/settings/issuer-configuration.js';
import { canonicalProjectID } from '../../../api/access/settings/project-aliases.js';
import { readRoleWord } from '../../../api/access/settings/role-pattern.js';
import { createLogger } from '../../../telemetry/logger.js';
import { operations } from '../../../api/operations/index.js';
import { includesRole, isProjectRole, projectRoles } from '../../../api/contract/roles.js';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { identifier } from '../../../api/contract/schemas.js';
import { printableJson } from '@perdure/lib/trust/printable.js';

export interface Explanation {
  readonly verdict: 'accepted' | 'refused' | 'unavailable';
  readonly lines: readonly string[];
}

/**
 * Explains one token, with or without the word Bearer before it. Fetches the keys from the issuer, as the host would.
 */
export async function explainToken(given: string, access: AccessConfiguration): Promise<Explanation> {
  const token = given.trim().replace(/^(authorization: *)?bearer +/i, '');
  const proof = await createAuthenticator(access, createLogger('silent')).authenticate(`Bearer ${token}`);
  switch (proof.kind) {
    case 'unavailable':
      return {
        verdict: 'unavailable',
        lines: [
          `Cannot determine whether the host would accept the token: ${proof.reason}.`,
          'Check that this machine can reach the issuer and its key set.',
        ],
      };
    case 'refused':
      return {
        verdict: 'refused',
        lines: [`The host would return 401 for every request: ${proof.reason}.`, expected(access)],
      };
    case 'accepted':
      return {
        verdict: 'accepted',
        lines: [...aboutCaller(proof.caller), ...aboutProjects(proof.caller, token, access)],
      };
  }
}

function expected({ issuers }: AccessConfiguration): string {
  const each = issuers.map(
    ({ issuer, audiences, algorithms }) =>
      `issuer ${issuer}, audience ${audiences.join(' or ')}, signed with ${algorithms.join(', ')}`,
  );
  return `The host accepts: ${each.join('; ')}.`;
}

function aboutCaller(caller: Caller): string[] {
  return [
    'The host would accept the token.',
    `issuer: ${shown(caller.issuer)}`,
    `subject: ${shown(caller.subject)}${caller.isServiceAccount ? ' (a service account)' : ''}`,
    `organization roles: ${[...caller.organisationRoles].join(', ')}`,
    `groups for candidate tasks: ${caller.groups.size === 0 ? 'none' : [...caller.groups].map(shown).join(', ')}`,
    caller.organisationRoles.has('admin') || caller.systemAdmin
      ? 'creating projects: allowed'
      : 'creating projects: not allowed, because the token lacks the organization role admin',
  ];
}

function aboutProjects(caller: Caller, token: string, access: AccessConfiguration): string[] {
  const issuer = access.issuers.find((each) => each.issuer === caller.issuer) as IssuerConfiguration;
  const claims = decodeJwt(token);
  const inList = whatIsIgnored(readClaim(claims, issuer.projectsClaim), issuer, access);
  const ignored = [...inList, ...wordsIgnored(wordsOf(readClaim(claims, issuer.projectRoleClaim)), issuer)];
  const named = [...caller.projects].map(([id, role]) => aboutProject(id, caller.systemAdmin ? 'admin' : role));
  const rest = caller.systemAdmin
    ? 'every other project: admin, because of the organization role system-admin'
    : `every other project: nothing (404), because ${sourcesOf(issuer)} does not name it`;
  return [...named, rest, ...ignored];
}

/** The claims that can name memberships. */
function sourcesOf({ projectsClaim, projectRoleClaim, projectRolePattern }: IssuerConfiguration): string {
  const words = projectRolePattern === null ? '' : ` and no ${projectRolePattern} in the claim ${projectRoleClaim}`;
  return `the claim ${projectsClaim}${words}`;
}

/** Words that resemble a role in a project but are not one. */
function wordsIgnored(
  words: readonly string[],
  { projectRoleClaim, projectRolePattern }: IssuerConfiguration,
): string[] {
  const beginning = projectRolePattern?.split('{')[0] ?? '';
  if (projectRolePattern === null || beginning === '') return [];
  return words
    .filter((word) => word.startsWith(beginning) && readRoleWord(projectRolePattern, word) === undefined)
    .map(
      (word) =>
        `${projectRoleClaim}: ${shown(word)} grants no rights; expected ${projectRolePattern} with one ` +
        `of ${projectRoles.join(', ')}`,
    );
}

function aboutProject(id: string, role: ProjectRole): string {
  const inProjects = operations.filter((operation) => isProjectRole(operation.role));
  const denied = projectRoles
    .filter((required) => !includesRole(role, required))
    .map((required) => `${inProjects.filter((operation) => operation.role === required).length} need ${required}`);
  const allowed = inProjects.filter((operation) => includesRole(role, operation.role as ProjectRole)).length;
  const others = denied.length === 0 ? '' : `; of the others, ${denied.join(' and ')}`;
  return `project ${id}: ${role}, ${allowed} of ${inProjects.length} operations${others}`;
}

/** The parts of the projects claim that grant no rights, each with the reason. */
function whatIsIgnored(
  claim: unknown,
  { projectsClaim: name, projectRolePattern }: IssuerConfiguration,
  { projectAliases }: AccessConfiguration,
): string[] {
  if (claim === undefined && projectRolePattern !== null) return [];
  if (claim === undefined)
    return [`The token has no claim ${name}. Add it at the issuer, or set OIDC_PROJECTS_CLAIM to another claim.`];
  if (!Array.isArray(claim))
    return [`The claim ${name} is ignored: it must be a list of {"id", "roles": []}, but is ${kindOf(claim)}.`];
  return claim.flatMap((entry: unknown, index) => {
    const reason = reasonToIgnore(entry);
    if (reason === undefined) return [];
    const { id } = (entry ?? {}) as { id?: unknown };
    const which = identifier.safeParse(id).success
      ? `project ${canonicalProjectID(id as string, projectAliases)}`
      : `entry ${index}`;
    return [`${name}, ${which}: ${reason}`];
  });
}

function reasonToIgnore(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null)
    return `ignored: it must be {"id", "roles": []}, but is ${kindOf(entry)}`;
  const { id, roles } = entry as { id?: unknown; roles?: unknown };
  if (!identifier.safeParse(id).success) return 'ignored: its id is not a project id';
  if (!Array.isArray(roles)) return `ignored: its roles must be a list, but are ${kindOf(roles)}`;
  const unknown = roles.filter((role) => !isProjectRole(role));
  if (roles.length === 0) return 'ignored: it has no roles';
  if (unknown.length === 0) return undefined;
  const words = unknown.map((role) => (typeof role === 'string' ? shown(role) : kindOf(role))).join(', ');
  return `these roles grant no rights: ${words}; expected ${projectRoles.join(', ')}, in exactly this spelling`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

/** Quoted and shortened: claims are untrusted text, and a terminal executes control characters. */
function shown(text: string): string {
  const cut = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return printableJson(JSON.stringify(cut));
}
