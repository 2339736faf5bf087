import type { ProjectRole } from '../contract/roles.js';

/** A person with a role in a project, as the identity provider knows them. */
export interface Member {
  /** The `sub` claim of the member's tokens. */
  readonly subject: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The highest role, if the provider has several. */
  readonly role: ProjectRole;
}

/**
 * Memberships at one identity provider. Changes appear in tokens that the provider issues afterward. Every method
 * throws `ProviderFailure` when the provider does not respond as expected.
 */
export interface MembershipProvider {
  list(projectID: string): Promise<Member[]>;
  /**
   * Replaces the member's roles in the project with this one.
   * @returns undefined when the provider has no account with this subject
   */
  setRole(projectID: string, subject: string, role: ProjectRole): Promise<Member | undefined>;
  /** Ends the membership; does nothing for other people. */
  remove(projectID: string, subject: string): Promise<void>;
}
