import type { OrganisationRole, ProjectRole } from '../contract/roles.js';

/**
 * The caller, as described by one validated access token. Everything here comes from that token and lives as long as
 * the request: no right is cached between requests or looked up elsewhere.
 */
export interface Caller {
  /** The `sub` claim (with the issuer's prefix if several issuers are configured): the identity in every record. */
  readonly subject: string;
  readonly issuer: string;
  /** A display name. Never compared with anything, because people can change it at the provider. */
  readonly name: string | undefined;
  readonly organisationRoles: ReadonlySet<OrganisationRole>;
  readonly systemAdmin: boolean;
  /** Matched against the candidate groups of user tasks, and nothing else. */
  readonly groups: ReadonlySet<string>;
  /** A label for the audit log; grants no rights. */
  readonly isServiceAccount: boolean;
  /** When the token is no longer accepted, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The projects that the token names, by canonical id. A system admin has a role in every other project too. */
  readonly projects: ReadonlyMap<string, ProjectRole>;
  /** The role in a project, or undefined without membership. */
  projectRole(projectID: string): ProjectRole | undefined;
}
