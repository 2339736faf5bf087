/**
 * Secrets in files, as Kubernetes mounts and Vault Agent write them: `PROJECT/NAME`, `PROJECT/NAME.previous`, and
 * `PROJECT/NAME.hosts`. They are read on every use, so that a replaced secret needs no restart.
 */
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SECRET_NAME, secretHosts, secretValues, type Secret, type Secrets } from './secret.js';

/** A larger file is not a secret. */
const MAX_SECRET_BYTES = 64 * 1024;
const PROJECT = /^[\w-][\w.-]{0,254}$/;
const MAX_SECRETS = 1_000;

export function secretsInFiles(folder: string): Secrets {
  return {
    resolve: (projectID, name) => read(folder, projectID, name),
    async list(projectID) {
      if (!PROJECT.test(projectID)) return [];
      const names = await readdir(join(folder, projectID)).catch(missing<string[]>([]));
      const secrets = names
        .filter((name) => SECRET_NAME.test(name))
        .sort()
        .slice(0, MAX_SECRETS)
        .map(async (name) => ({ name, hosts: await readHosts(join(folder, projectID, name)).catch(() => []) }));
      return Promise.all(secrets);
    },
  };
}

async function read(folder: string, projectID: string, name: string): Promise<Secret | undefined> {
  if (!PROJECT.test(projectID) || !SECRET_NAME.test(name)) return undefined;
  const path = join(folder, projectID, name);
  const [current, previous] = await Promise.all([content(path), content(`${path}.previous`)]);
  if (current === undefined) return undefined;
  const values = secretValues.safeParse(previous === undefined ? [current] : [current, previous]);
  // Without the parser's reason, which quotes the content.
  if (!values.success) throw new Error(`The files of secret ${name} must contain 8 to 8192 characters`);
  return { name, values: values.data, hosts: await readHosts(path) };
}

async function readHosts(path: string): Promise<string[]> {
  const text = (await content(`${path}.hosts`)) ?? '';
  const hosts = secretHosts.safeParse(text.split(/[\s,]+/).filter((host) => host !== ''));
  if (hosts.success) return hosts.data;
  throw new Error(`${basename(path)}.hosts must contain hosts such as api.example.com, one per line`);
}

/** The text of a file without its last line break; undefined if there is no file. */
async function content(path: string): Promise<string | undefined> {
  const file = await open(path).catch(missing(undefined));
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SECRET_BYTES), 0, MAX_SECRET_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$/, '');
  } finally {
    await file.close();
  }
}

function missing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead;
    throw error;
  };
}
