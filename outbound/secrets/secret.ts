/** Secrets come from the configuration of the host only; no request can read or write one. */
import { z } from 'zod';
import { parseEgressEntry, type EgressEntry } from '../egress/entry.js';

export interface NamedSecret {
  readonly name: string;
  /** The hosts that the secret may be sent to, as configured. */
  readonly hosts: readonly string[];
}

export interface Secret extends NamedSecret {
  /** One or two values. The first is sent and signs, and both verify, so that a secret can be replaced without interruption. */
  readonly values: readonly string[];
}

export interface Secrets {
  /** Undefined if the project has no such secret. */
  resolve(projectID: string, name: string): Promise<Secret | undefined>;
  /** All secrets of the project, by name, without their values. */
  list(projectID: string): Promise<NamedSecret[]>;
}

export const SECRET_NAME = /^[A-Za-z_][\w-]{0,99}$/;

/** A shorter secret could occur anywhere in a response. A longer one does not fit into a header. */
const value = z.string().min(8).max(8192);

export const secretValues = z.tuple([value]).or(z.tuple([value, value]));
export const secretHosts = z.array(z.string().refine((host) => parseEgressEntry(host) !== undefined)).max(100);

export function hostEntries({ hosts }: Secret): EgressEntry[] {
  return hosts.flatMap((host) => parseEgressEntry(host) ?? []);
}
