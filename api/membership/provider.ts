import type { ProjectRole } from '../roles.js';

/** Somebody with a role in a project, as the identity provider knows them. */
export interface Member {
  /** The `sub` of their tokens. */
  readonly subject: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The highest, where the provider knows several. */
  readonly role: ProjectRole;
}

/**
 * Memberships at one identity provider. What is changed shows in the tokens that the provider gives out from then on.
 * Everything throws `ProviderFailure` when the provider does not answer as it should.
 */
export interface MembershipProvider {
  list(projectID: string): Promise<Member[]>;
  /**
   * Gives the role in place of those they had in the project.
   * @returns undefined when the provider knows nobody with this subject
   */
  setRole(projectID: string, subject: string, role: ProjectRole): Promise<Member | undefined>;
  /** Ends the membership; nothing happens when there is none. */
  remove(projectID: string, subject: string): Promise<void>;
}
