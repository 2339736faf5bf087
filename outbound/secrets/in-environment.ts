/** Secrets in one environment variable, as JSON. */
import { z } from 'zod';
import type { Kind } from '@perdure/configuration/kinds.js';
import { SECRET_NAME, secretHosts, secretValues, type Secrets } from './secret.js';

const schema = z.record(
  z.string(),
  z.record(z.string().regex(SECRET_NAME), z.strictObject({ values: secretValues, hosts: secretHosts.default([]) })),
);

export type GivenSecrets = z.output<typeof schema>;

export const secretsAsJson: Kind<GivenSecrets> = {
  schema: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema) as z.ZodType<GivenSecrets, string>,
  expected:
    'JSON such as {"shop": {"BANK": {"values": ["..."], "hosts": ["api.bank.com"]}}}, values of 8 to 8192 characters',
};

export function secretsInEnvironment(given: GivenSecrets): Secrets {
  const ofProject = (projectID: string) =>
    Object.entries(Object.hasOwn(given, projectID) ? given[projectID]! : {}).map(([name, secret]) => ({
      name,
      ...secret,
    }));
  return {
    resolve: async (projectID, name) => ofProject(projectID).find((secret) => secret.name === name),
    list: async (projectID) =>
      ofProject(projectID)
        .map(({ name, hosts }) => ({ name, hosts }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
