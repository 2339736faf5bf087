/**
 * Project memberships across all issuers. The identity provider remains the authority: nothing is stored here, and a
 * change takes effect with the next token (ADR 27).
 */
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';
import type { IssuerConfiguration } from '../access/settings/issuer-configuration.js';
import type { ProjectRole } from '../contract/roles.js';
import { createDevelopmentMemberships } from './development-issuer.js';
import { createKeycloakMemberships } from './keycloak.js';
import type { Member, MembershipProvider } from './provider.js';

/** The host can neither read nor change memberships at this issuer. */
export interface ManagedByProvider {
  readonly kind: 'managed';
  readonly issuer: string;
}

export type MemberList = { readonly kind: 'members'; readonly members: readonly Member[] } | ManagedByProvider;
export type MemberChange =
  | { readonly kind: 'changed'; readonly member: Member; readonly formerRole: ProjectRole | undefined }
  | { readonly kind: 'missing' }
  | { readonly kind: 'last-admin' }
  | ManagedByProvider;
export type MemberRemoval =
  Exclude<MemberChange, { kind: 'changed' }> | { readonly kind: 'removed'; readonly formerRole: ProjectRole };

/**
 * Subjects carry the prefix of their issuer. Every method throws `ProviderFailure` when a provider does not respond.
 */
export interface Memberships {
  /** Members at the issuers whose memberships the host can read, by subject. */
  list(projectID: string): Promise<MemberList>;
  setRole(projectID: string, subject: string, role: ProjectRole): Promise<MemberChange>;
  remove(projectID: string, subject: string): Promise<MemberRemoval>;
}

interface Source {
  readonly issuer: string;
  readonly prefix: string;
  readonly provider: MembershipProvider | undefined;
}

export function createMemberships(issuers: readonly IssuerConfiguration[]): Memberships {
  const sources: Source[] = issuers.map((issuer) => ({
    issuer: issuer.issuer,
    prefix: issuer.subjectPrefix,
    provider: providerOf(issuer),
  }));
  /** Serializes the changes of one project, so that two admins who remove each other cannot both succeed. */
  const changes = new KeyedMutex();

  async function list(projectID: string): Promise<Member[]> {
    const lists = await Promise.all(
      sources.map(async (source) => withPrefix(source, (await source.provider?.list(projectID)) ?? [])),
    );
    return lists.flat().sort((a, b) => (a.subject < b.subject ? -1 : 1));
  }

  /** The role of the member, and whether no other member is an admin. */
  async function standing(projectID: string, subject: string) {
    const members = await list(projectID);
    const role = members.find((member) => member.subject === subject)?.role;
    const isLastAdmin = role === 'admin' && members.filter((member) => member.role === 'admin').length === 1;
    return { formerRole: role, isLastAdmin };
  }

  return {
    async list(projectID) {
      const managed = sources.every(({ provider }) => provider === undefined);
      return managed ? managedBy(sources) : { kind: 'members', members: await list(projectID) };
    },
    async setRole(projectID, subject, role) {
      const source = sourceOf(sources, subject);
      if (source === undefined) return { kind: 'missing' };
      const { provider, prefix } = source;
      if (provider === undefined) return managedBy([source]);
      return changes.run(projectID, async () => {
        const { formerRole, isLastAdmin } = await standing(projectID, subject);
        if (isLastAdmin && role !== 'admin') return { kind: 'last-admin' };
        const member = await provider.setRole(projectID, subject.slice(prefix.length), role);
        return member === undefined
          ? { kind: 'missing' }
          : { kind: 'changed', member: { ...member, subject }, formerRole };
      });
    },
    async remove(projectID, subject) {
      const source = sourceOf(sources, subject);
      if (source === undefined) return { kind: 'missing' };
      const { provider, prefix } = source;
      if (provider === undefined) return managedBy([source]);
      return changes.run(projectID, async () => {
        const { formerRole, isLastAdmin } = await standing(projectID, subject);
        if (formerRole === undefined) return { kind: 'missing' };
        if (isLastAdmin) return { kind: 'last-admin' };
        await provider.remove(projectID, subject.slice(prefix.length));
        return { kind: 'removed', formerRole };
      });
    },
  };
}

function providerOf({ administration, projectRolePattern }: IssuerConfiguration): MembershipProvider | undefined {
  switch (administration?.kind) {
    case undefined:
      return undefined;
    case 'development':
      return createDevelopmentMemberships(administration);
    case 'keycloak':
      // Startup validation has refused a pattern that is not a group path.
      return createKeycloakMemberships(administration, projectRolePattern as string);
  }
}

/** The issuer of a subject: no prefix is the beginning of another, except for the empty one. */
function sourceOf(sources: readonly Source[], subject: string): Source | undefined {
  return (
    sources.find(({ prefix }) => prefix !== '' && subject.startsWith(prefix)) ??
    sources.find(({ prefix }) => prefix === '')
  );
}

function managedBy(sources: readonly Source[]): ManagedByProvider {
  return { kind: 'managed', issuer: sources.map(({ issuer }) => issuer).join(', ') };
}

function withPrefix({ prefix }: Source, members: readonly Member[]): Member[] {
  return members.map((member) => ({ ...member, subject: prefix + member.subject }));
}
