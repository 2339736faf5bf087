/** Maps the claims of a validated token to the caller. Words are compared exactly; unknown words grant no rights. */
import { ordinaryProjectOf } from '../../store/projects/tests.js';
import { identifier } from '../contract/schemas.js';
import { includesRole, isProjectRole } from '../contract/roles.js';
import type { OrganisationRole, ProjectRole } from '../contract/roles.js';
import type { Caller } from './caller.js';
import type { IssuerConfiguration } from './settings/issuer-configuration.js';
import type { ClaimMark } from './settings/presets.js';
import { canonicalProjectID } from './settings/project-aliases.js';
import { readRoleWord } from './settings/role-pattern.js';

export type Claims = Readonly<Record<string, unknown>>;

/** Builds the caller. The claims must have passed every validation check. */
export function callerFromClaims(
  claims: Claims,
  subject: string,
  issuer: IssuerConfiguration,
  aliases: ReadonlyMap<string, string>,
): Caller {
  const roles = wordsOf(readClaim(claims, issuer.rolesClaim));
  const groups = readClaim(claims, issuer.groupsClaim);
  const systemAdmin = roles.includes(issuer.systemAdminRole);
  const projects = projectRolesOf(
    [...membershipsOf(readClaim(claims, issuer.projectsClaim)), ...membershipsInWords(claims, issuer)],
    aliases,
  );
  return {
    subject,
    issuer: issuer.issuer,
    name: issuer.nameClaims.map((name) => readClaim(claims, name)).find((value) => typeof value === 'string'),
    organisationRoles: organisationRolesOf(roles, issuer),
    systemAdmin,
    groups: new Set(
      groups === undefined ? roles : wordsOf(groups).map((group) => withoutPrefix(group, issuer.groupPrefix)),
    ),
    isServiceAccount: issuer.serviceAccountMarks.some(
      (marks) => marks.length > 0 && marks.every((mark) => holds(mark, claims)),
    ),
    expiresAt: ((claims['exp'] as number) + issuer.clockToleranceSeconds) * 1000,
    projects,
    projectRole: (projectID) => (systemAdmin ? 'admin' : projects.get(ordinaryProjectOf(projectID))),
  };
}

/** A claim by its name, otherwise by a dotted path; own properties only. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Claims)[step];
  }
  return value;
}

/** The words of a list, or the keys of an object (Zitadel's roles). A bare string is not a list and is never split. */
export function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((word): word is string => typeof word === 'string');
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function organisationRolesOf(roles: readonly string[], issuer: IssuerConfiguration): Set<OrganisationRole> {
  const held = new Set<OrganisationRole>(['user']);
  if (roles.includes(issuer.organizationAdminRole)) held.add('admin');
  if (roles.includes(issuer.systemAdminRole)) held.add('system-admin');
  return held;
}

/** One role in one project. */
interface Membership {
  readonly id: string;
  readonly role: ProjectRole;
}

/** Reads a projects claim, which is a list of `{id, roles[]}`. */
function membershipsOf(claim: unknown): Membership[] {
  return (Array.isArray(claim) ? claim : []).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, roles: words } = entry as Claims;
    if (!identifier.safeParse(id).success || !Array.isArray(words)) return [];
    return words.filter(isProjectRole).map((role) => ({ id: id as string, role }));
  });
}

function membershipsInWords(
  claims: Claims,
  { projectRoleClaim, projectRolePattern }: IssuerConfiguration,
): Membership[] {
  if (projectRolePattern === null) return [];
  return wordsOf(readClaim(claims, projectRoleClaim)).flatMap((word) => readRoleWord(projectRolePattern, word) ?? []);
}

/** The highest role in each project counts. */
function projectRolesOf(
  memberships: readonly Membership[],
  aliases: ReadonlyMap<string, string>,
): Map<string, ProjectRole> {
  const roles = new Map<string, ProjectRole>();
  for (const { id, role } of memberships) {
    const projectID = canonicalProjectID(id, aliases);
    const held = roles.get(projectID);
    if (held === undefined || includesRole(role, held)) roles.set(projectID, role);
  }
  return roles;
}

function withoutPrefix(group: string, prefix: string): string {
  return group.startsWith(prefix) ? group.slice(prefix.length) : group;
}

function holds(mark: ClaimMark, claims: Claims): boolean {
  const value = readClaim(claims, mark.claim);
  if (typeof value !== 'string') return false;
  if (mark.equals !== undefined && value !== mark.equals) return false;
  if (mark.startsWith !== undefined && !value.startsWith(mark.startsWith)) return false;
  return mark.equalsClaim === undefined || value === readClaim(claims, mark.equalsClaim);
}
