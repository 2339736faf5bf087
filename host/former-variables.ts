/** Former names of environment variables, accepted with a warning for one release. */
const currentNames: Readonly<Record<string, string>> = {
  SIMULTANEOUS_SEARCHES: 'MAX_CONCURRENT_SEARCHES',
  WORKER_CACHED_INSTANCES: 'WORKER_MAX_CACHED_INSTANCES',
  ISSUER_ADMINISTRATION_URL: 'OIDC_ADMIN_URL',
  ISSUER_ADMINISTRATION_CLIENT_ID: 'OIDC_ADMIN_CLIENT_ID',
  ISSUER_ADMINISTRATION_SECRET: 'OIDC_ADMIN_CLIENT_SECRET',
};

/**
 * The environment under the current names. If a variable is set under both names, the current name wins.
 * @param warn receives one sentence per former name that is set
 */
export function withCurrentNames(environment: NodeJS.ProcessEnv, warn: (sentence: string) => void): NodeJS.ProcessEnv {
  const renamed = { ...environment };
  for (const [former, current] of Object.entries(currentNames)) {
    const value = environment[former];
    if (!value) continue;
    renamed[current] ||= value;
    warn(`${former} is deprecated. Set ${current} instead.`);
  }
  return renamed;
}

export function warnOnStandardError(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
