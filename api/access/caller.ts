import type { OrganisationRole, ProjectRole } from '../roles.js';

/**
 * Who is asking, as one validated access token says it. Everything here comes from that token and lives as long as
 * the request: no right is remembered between requests or looked up anywhere else.
 */
export interface Caller {
  /** The `sub` claim (with the issuer's prefix where several issuers are configured): the identity in every record. */
  readonly subject: string;
  readonly issuer: string;
  /** A name for people to read. Never compared with anything: the person can change it at the provider. */
  readonly name: string | undefined;
  readonly organisationRoles: ReadonlySet<OrganisationRole>;
  readonly systemAdmin: boolean;
  /** Matched against candidate groups of user tasks, and against nothing else. */
  readonly groups: ReadonlySet<string>;
  /** A label for the audit log; it changes no right. */
  readonly isServiceAccount: boolean;
  /** The projects the token names, by canonical id. A system admin has a role in every other project too. */
  readonly projects: ReadonlyMap<string, ProjectRole>;
  /** The role in a project, or undefined without membership. */
  projectRole(projectID: string): ProjectRole | undefined;
}
