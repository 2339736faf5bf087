/** Former names of the variables that hold the credentials, accepted with a warning for one release. */
import type { Environment } from './credentials.js';

const currentNames: Readonly<Record<string, string>> = {
  TOKEN_ENDPOINT: 'PERDURE_TOKEN_ENDPOINT',
  CLIENT_ID: 'PERDURE_CLIENT_ID',
  CLIENT_SECRET: 'PERDURE_CLIENT_SECRET',
};

/**
 * The environment under the current names. The former names are common in shells, so they count only together, and only
 * if no credentials are set under the current names.
 */
export function withCurrentNames(environment: Environment, warn: (sentence: string) => void): Environment {
  const former = Object.keys(currentNames);
  const isCurrent = [...Object.values(currentNames), 'PERDURE_TOKEN'].some((name) => environment[name]);
  if (isCurrent || !former.every((name) => environment[name])) return environment;
  warn(`${former.join(', ')} are deprecated. Set ${Object.values(currentNames).join(', ')} instead.`);
  return { ...environment, ...Object.fromEntries(former.map((name) => [currentNames[name], environment[name]])) };
}
