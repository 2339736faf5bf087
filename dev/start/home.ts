import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { tryLock } from '../lock.mjs';
import { freePort, isFree } from '../ports.js';
import type { PartWithPort } from './settings.js';

export interface Secrets {
  postgresPassword: string;
  issuerAdministrationSecret: string;
}

/** The folder of one host: its data, its secrets, its last ports, its logs. Used by one host at a time. */
export interface Home {
  readonly secrets: Secrets;
  path(name: string): string;
  /**
   * The port for a part: the fixed one, otherwise its last one, otherwise a free one.
   *
   * @throws Failure when the fixed port is in use
   */
  choosePort(part: PartWithPort, fixed: number | undefined, host?: string): Promise<number>;
  release(): void;
}

/** @throws Failure when another host uses the folder, or it is not writable */
export function openHome(folder: string): Home {
  const release = takeLock(folder);
  const path = (name: string) => join(folder, name);
  return { secrets: loadSecrets(path('secrets.json')), path, choosePort: portChooser(path('ports.json')), release };
}

function takeLock(folder: string): () => void {
  try {
    makePrivate(folder);
    const { holder, release } = tryLock(join(folder, 'host.lock'));
    if (release) return release;
    throw new Failure(
      `Another host (process ${holder}) uses ${folder}. Stop it, or set PERDURE_HOME to another folder.`,
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`Cannot use the folder ${folder} (${errorMessage(error)}). Set PERDURE_HOME to another folder.`);
  }
}

/**
 * Everything in the folder has passwords or variables in it. What an earlier version has created is closed too, but for
 * folders, which can belong to the account of Postgres.
 */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
}

function loadSecrets(file: string): Secrets {
  const known = readJson<Partial<Secrets>>(file);
  const secrets = { postgresPassword: newSecret(), issuerAdministrationSecret: newSecret(), ...known };
  writeJson(file, secrets);
  return secrets;
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function portChooser(file: string): Home['choosePort'] {
  const ports = readJson<Partial<Record<PartWithPort, number>>>(file);
  return async (part, fixed, host = '127.0.0.1') => {
    if (fixed !== undefined && !(await isFree(fixed, host))) {
      throw new Failure(
        `Port ${fixed} of ${host}, for ${portOwners[part].name}, is in use. Stop the program that uses ` +
          `it, or set ${portOwners[part].variable} to another port.`,
      );
    }
    const last = ports[part];
    const port = fixed ?? (last !== undefined && (await isFree(last, host)) ? last : await freePort());
    ports[part] = port;
    writeJson(file, ports);
    return port;
  };
}

const portOwners: Record<PartWithPort, { name: string; variable: string }> = {
  api: { name: 'the API', variable: 'PORT' },
  postgres: { name: 'Postgres', variable: 'PERDURE_POSTGRES_PORT' },
  temporal: { name: 'the Temporal server', variable: 'PERDURE_TEMPORAL_PORT' },
  temporalUi: { name: "Temporal's web UI", variable: 'PERDURE_TEMPORAL_UI_PORT' },
  issuer: { name: 'the development issuer', variable: 'PERDURE_ISSUER_PORT' },
};

function readJson<T extends object>(file: string): T {
  if (!existsSync(file)) return {} as T;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    throw new Failure(
      `${file} is not the JSON that was written. Correct it, or delete it together with the data next to it.`,
    );
  }
}

function writeJson(file: string, value: object): void {
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file for this user only. Readers find it complete or not at all. */
export function writePrivate(file: string, text: string): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
