/**
 * Memberships at Keycloak: members of the group `/projects/<project>/<role>` have that role (ADR 26). A group is
 * created for its first member and is never deleted.
 */
import { z } from 'zod';
import type { KeycloakAdministration } from '../access/settings/administration.js';
import { writeRoleWord } from '../access/settings/role-pattern.js';
import { projectRoles } from '../contract/roles.js';
import type { ProjectRole } from '../contract/roles.js';
import { uuid } from '../contract/schemas.js';
import { ProviderFailure } from './call-provider.js';
import { createKeycloakClient } from './keycloak-client.js';
import type { KeycloakClient } from './keycloak-client.js';
import type { Member, MembershipProvider } from './provider.js';

const user = z.object({
  id: z.string(),
  username: z.string(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
});
const group = z.object({ id: z.string(), path: z.string() });

/** @param pattern the group path for a role in a project, as tokens are read */
export function createKeycloakMemberships(administration: KeycloakAdministration, pattern: string): MembershipProvider {
  const keycloak = createKeycloakClient(administration);
  const pathOf = (projectID: string, role: ProjectRole) => writeRoleWord(pattern, projectID, role);
  return {
    async list(projectID) {
      const members = new Map<string, Member>();
      // From the lowest role to the highest, so that the highest one wins.
      for (const role of projectRoles) {
        const groupID = await findGroup(keycloak, pathOf(projectID, role));
        const users = groupID === undefined ? [] : await keycloak.listAll(`/groups/${groupID}/members`, user);
        for (const each of users) members.set(each.id, toMember(each, role));
      }
      return [...members.values()];
    },
    async setRole(projectID, subject, role) {
      const found = await findUser(keycloak, subject);
      if (found === undefined) return undefined;
      const groupID = await ensureGroup(keycloak, pathOf(projectID, role));
      // The new role first: an interruption leaves the member with both roles, never with none, and repeating the
      // request completes it.
      await keycloak.call(`/users/${found.id}/groups/${groupID}`, { method: 'PUT' });
      await leaveGroups(
        keycloak,
        found.id,
        projectRoles.filter((other) => other !== role).map((other) => pathOf(projectID, other)),
      );
      return toMember(found, role);
    },
    async remove(projectID, subject) {
      const found = await findUser(keycloak, subject);
      if (found !== undefined)
        await leaveGroups(
          keycloak,
          found.id,
          projectRoles.map((role) => pathOf(projectID, role)),
        );
    },
  };
}

function toMember({ id, username, firstName, lastName, email }: z.infer<typeof user>, role: ProjectRole): Member {
  const name = [firstName, lastName].filter((part) => part !== undefined && part !== '').join(' ');
  return { subject: id, name: name === '' ? username : name, email, role };
}

/** Keycloak users have uuids; no other text must become part of a path. */
async function findUser(keycloak: KeycloakClient, subject: string): Promise<z.infer<typeof user> | undefined> {
  if (!uuid.safeParse(subject).success) return undefined;
  const { status, body } = await keycloak.call(`/users/${subject}`, { understood: [404] });
  return status === 404 ? undefined : expected(user, body, 'user');
}

async function leaveGroups(keycloak: KeycloakClient, userID: string, paths: readonly string[]): Promise<void> {
  const groups = await keycloak.listAll(`/users/${userID}/groups`, group);
  for (const { id } of groups.filter(({ path }) => paths.includes(path))) {
    await keycloak.call(`/users/${userID}/groups/${id}`, { method: 'DELETE', understood: [404] });
  }
}

async function findGroup(keycloak: KeycloakClient, path: string): Promise<string | undefined> {
  const { status, body } = await keycloak.call(`/group-by-path${path.split('/').map(encodeURIComponent).join('/')}`, {
    understood: [404],
  });
  return status === 404 ? undefined : expected(group, body, 'group').id;
}

/** Creates the missing groups of the path, from the top. */
async function ensureGroup(keycloak: KeycloakClient, path: string): Promise<string> {
  const found = await findGroup(keycloak, path);
  if (found !== undefined) return found;
  const end = path.lastIndexOf('/');
  const collection = end === 0 ? '/groups' : `/groups/${await ensureGroup(keycloak, path.slice(0, end))}/children`;
  // 409: another request has created it in the meantime.
  await keycloak.call(collection, { method: 'POST', json: { name: path.slice(end + 1) }, understood: [409] });
  const made = await findGroup(keycloak, path);
  if (made === undefined) throw new ProviderFailure(`Keycloak has no group ${path} after its creation`);
  return made;
}

function expected<Value>(schema: z.ZodType<Value>, body: unknown, what: string): Value {
  const read = schema.safeParse(body);
  if (!read.success) throw new ProviderFailure(`Keycloak did not return a valid ${what}`);
  return read.data;
}
