/** The secrets of all projects. */
import { secretsInEnvironment, type GivenSecrets } from './in-environment.js';
import { secretsInFiles } from './in-files.js';
import type { NamedSecret, Secrets } from './secret.js';

/** A file wins over the environment. */
export function createSecrets(folder: string | undefined, given: GivenSecrets = {}): Secrets {
  const inEnvironment = secretsInEnvironment(given);
  if (folder === undefined) return inEnvironment;
  const inFiles = secretsInFiles(folder);
  return {
    resolve: async (projectID, name) =>
      (await inFiles.resolve(projectID, name)) ?? inEnvironment.resolve(projectID, name),
    async list(projectID) {
      const both = [...(await inEnvironment.list(projectID)), ...(await inFiles.list(projectID))];
      const byName = new Map<string, NamedSecret>(both.map((secret) => [secret.name, secret]));
      return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}
