/** The Helm chart's files, and the part of its schema that follows from the host's table of variables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../../dev/repository.js';
import { sections } from '../../../host/configuration/sections.js';

export const chart = join(repositoryRoot, 'deploy', 'helm', 'perdure');
export const readChart = (path: string) => readFileSync(join(chart, path), 'utf8');

/** Variables that templates set, from other values of the chart. */
export const setByTemplates = [
  'CAMUNDA7_PORT',
  'CODEC_PORT',
  'HOOKS_PORT',
  'HOST',
  'METRICS_PORT',
  'PERDURE_ROLES',
  'PORT',
  'SECRETS_PATH',
];

const variables = sections.flatMap((section) => Object.entries(section.variables));
export const declared = variables.map(([name]) => name);
export const secrets = variables.filter(([, { isSecret }]) => isSecret).map(([name]) => name);

/** The variables that `config` accepts: all but secrets and what templates set. */
export function configSchema(): object {
  const accepted = variables.filter(([name]) => !secrets.includes(name) && !setByTemplates.includes(name));
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      accepted.map(([name, { kind }]) => [name, { type: 'string', minLength: 1, description: kind.expected }]),
    ),
  };
}

export type Values = Record<string, unknown>;

/** Merges maps as Helm does; any other value replaces the one before. */
export function withValues(base: Values, changes: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const before = merged[name];
    merged[name] = isMap(before) && isMap(value) ? withValues(before, value) : value;
  }
  return merged;
}

export const defaults = () => parse(readChart('values.yaml')) as Values;

/** @returns the paths of values that the schema refuses */
export function refusedValues(values: Values): string[] {
  const schema = z.fromJSONSchema(JSON.parse(readChart('values.schema.json')));
  return (schema.safeParse(values).error?.issues ?? []).map(({ path }) => path.join('.'));
}
