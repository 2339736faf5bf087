/**
 * The users and service accounts of the development issuer, kept in a JSON file that can be edited by hand, because it
 * is read again for each token.
 *
 * A user's `sub` is the name, a service account's is `service-account-` and the name. The password of a user and the
 * secret of a service account are `dev-` and the name.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export const accountNames = ['viewer', 'executor', 'editor', 'admin', 'system-admin', 'outsider'] as const;
const organizationRoles: Record<string, string[]> = { admin: ['admin'], 'system-admin': ['system-admin'] };
const memberships: Record<string, Membership[]> = {
  viewer: [{ id: 'demo', roles: ['viewer'] }],
  executor: [
    { id: 'demo', roles: ['executor'] },
    { id: 'other', roles: ['executor'] },
  ],
  editor: [{ id: 'demo', roles: ['editor'] }],
  admin: [
    { id: 'demo', roles: ['admin'] },
    { id: 'other', roles: ['admin'] },
  ],
};

/** One project membership, as in the `projects` claim. */
export interface Membership {
  id: string;
  roles: string[];
}

/** Claims of a token about its subject. */
export interface Account {
  sub: string;
  name: string;
  /** Organization roles. */
  roles: string[];
  /** Candidate groups of user tasks. */
  groups: string[];
  projects: Membership[];
}

export function subjectOfServiceAccount(clientId: string): string {
  return `service-account-${clientId}`;
}

export function secretOf(name: string): string {
  return `dev-${name}`;
}

export class Accounts {
  constructor(private readonly file: string) {
    if (!existsSync(file)) this.write(defaultAccounts());
  }

  list(): Account[] {
    return JSON.parse(readFileSync(this.file, 'utf8')) as Account[];
  }

  find(subject: string): Account | undefined {
    return this.list().find(({ sub }) => sub === subject);
  }

  /**
   * Sets the roles of an account in a project, replacing its previous ones; an empty list ends the membership.
   *
   * @returns the updated account, or undefined if no such account exists
   */
  setRoles(subject: string, projectID: string, roles: string[]): Account | undefined {
    const accounts = this.list();
    const account = accounts.find(({ sub }) => sub === subject);
    if (account === undefined) return undefined;
    account.projects = account.projects.filter(({ id }) => id !== projectID);
    if (roles.length > 0) account.projects.push({ id: projectID, roles });
    this.write(accounts);
    return account;
  }

  private write(accounts: Account[]): void {
    const draft = `${this.file}.draft`;
    writeFileSync(draft, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.file);
  }
}

function defaultAccounts(): Account[] {
  const people = accountNames.map((name) => accountNamed(name, name));
  const services = accountNames.map((name) => accountNamed(name, subjectOfServiceAccount(name)));
  return [...people, ...services];
}

function accountNamed(name: string, sub: string): Account {
  return { sub, name, roles: organizationRoles[name] ?? [], groups: [], projects: memberships[name] ?? [] };
}
