import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig, type Config } from '../../host/configuration/config.js';
import { ConfigurationError } from '../../host/configuration/configuration-error.js';
import { repositoryRoot } from '../repository.js';

/** Parts with ports other than the API's, and the variable that fixes each port. */
const portVariables = {
  postgres: 'PERDURE_POSTGRES_PORT',
  temporal: 'PERDURE_TEMPORAL_PORT',
  temporalUi: 'PERDURE_TEMPORAL_UI_PORT',
  issuer: 'PERDURE_ISSUER_PORT',
} as const;
const portNumber = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().min(1).max(65_535));

export type PartWithPort = keyof typeof portVariables | 'api';

export interface StartSettings {
  /** The configuration of the host; members that `missing` lists are placeholders. */
  config: Config;
  /** The folder that keeps the data between starts. */
  home: string;
  /** The services that the environment does not name, so they must be started. */
  missing: { postgres: boolean; temporal: boolean; issuer: boolean };
  /** Fixed ports of parts that are started here. */
  fixedPorts: Partial<Record<PartWithPort, number>>;
}

/** Placeholders let the whole configuration pass validation until the real values are known. */
const standIns = {
  DATABASE_URL: 'postgres://localhost/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  OIDC_ISSUER: 'http://127.0.0.1:1',
};

/**
 * Reads all settings of `npm start` before anything is started.
 *
 * @throws ConfigurationError naming every mistake at once
 */
export function readStartSettings(environment: NodeJS.ProcessEnv): StartSettings {
  const problems: string[] = [];
  const fixedPorts = readFixedPorts(environment, problems);
  const config = readConfigOrProblems(withStandIns(environment), problems);
  if (config === undefined || problems.length > 0) throw new ConfigurationError(problems);
  if (config.port > 0) fixedPorts.api = config.port;
  const hasIssuer = Boolean(environment['OIDC_ISSUER'] || environment['OIDC_CONFIG']);
  return {
    config,
    home: resolve(environment['PERDURE_HOME'] || join(repositoryRoot, '.perdure')),
    missing: {
      postgres: !environment['DATABASE_URL'],
      temporal: !environment['TEMPORAL_ADDRESS'],
      issuer: config.roles.has('api') && !hasIssuer,
    },
    fixedPorts,
  };
}

function withStandIns(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const filled = { ...environment };
  for (const [name, value] of Object.entries(standIns)) filled[name] ||= value;
  // The file names the issuers in that case, and setting both would be a mistake that the user did not make.
  if (environment['OIDC_CONFIG'] && !environment['OIDC_ISSUER']) delete filled['OIDC_ISSUER'];
  return filled;
}

function readConfigOrProblems(environment: NodeJS.ProcessEnv, problems: string[]): Config | undefined {
  try {
    // The host repeats the warnings when it starts.
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

function readFixedPorts(environment: NodeJS.ProcessEnv, problems: string[]): Partial<Record<PartWithPort, number>> {
  const ports: Partial<Record<PartWithPort, number>> = {};
  for (const [part, variable] of Object.entries(portVariables)) {
    const given = environment[variable];
    if (!given) continue;
    const result = portNumber.safeParse(given);
    if (result.success) ports[part as PartWithPort] = result.data;
    else problems.push(`${variable} must be a port number from 1 to 65535, but is ${JSON.stringify(given)}`);
  }
  return ports;
}
