/** Memberships at the development issuer, which stores them in the form of the projects claim. */
import { z } from 'zod';
import type { DevelopmentAdministration } from '../access/settings/administration.js';
import { includesRole, isProjectRole } from '../contract/roles.js';
import type { ProjectRole } from '../contract/roles.js';
import { callProvider, ProviderFailure } from './call-provider.js';
import type { Member, MembershipProvider } from './provider.js';

const account = z.object({
  sub: z.string(),
  name: z.string(),
  projects: z.array(z.object({ id: z.string(), roles: z.array(z.string()) })),
});
type Account = z.infer<typeof account>;

export function createDevelopmentMemberships({ url, secret: token }: DevelopmentAdministration): MembershipProvider {
  const accounts = async () => {
    const { body } = await callProvider(`${url}/accounts`, { token });
    const read = z.array(account).safeParse(body);
    if (!read.success) throw new ProviderFailure('the development issuer did not return a list of accounts');
    return read.data;
  };
  const member = (projectID: string, subject: string) =>
    `${url}/projects/${encodeURIComponent(projectID)}/members/${encodeURIComponent(subject)}`;
  return {
    async list(projectID) {
      return (await accounts()).flatMap((each) => memberOf(each, projectID) ?? []);
    },
    async setRole(projectID, subject, role) {
      // Looked up first, so that only an existing subject becomes part of a path.
      const found = (await accounts()).find(({ sub }) => sub === subject);
      if (found === undefined) return undefined;
      const { status } = await callProvider(member(projectID, subject), {
        method: 'PUT',
        token,
        json: { roles: [role] },
        understood: [404],
      });
      return status === 404 ? undefined : { subject, name: found.name, email: undefined, role };
    },
    async remove(projectID, subject) {
      await callProvider(member(projectID, subject), { method: 'DELETE', token, understood: [404] });
    },
  };
}

function memberOf({ sub, name, projects }: Account, projectID: string): Member | undefined {
  const roles = projects
    .filter(({ id }) => id === projectID)
    .flatMap((membership) => membership.roles.filter(isProjectRole));
  if (roles.length === 0) return undefined;
  const highest = roles.reduce((held: ProjectRole, role) => (includesRole(role, held) ? role : held));
  return { subject: sub, name, email: undefined, role: highest };
}
