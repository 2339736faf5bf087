import type { StartupInfo } from './services.js';

/**
 * The development profile: with it, the `perdure` command in the checkout finds this host and signs in. Written as
 * exports of a POSIX shell (`. .perdure/env`), which `node --env-file` also reads. Undefined when there is no API to
 * call or no development issuer whose account could be named.
 */
export function developmentProfile({ api, tokenEndpoint }: StartupInfo): string | undefined {
  if (api === undefined || tokenEndpoint === undefined) return undefined;
  const variables = {
    PERDURE_API: onLoopback(api),
    PERDURE_PROJECT: 'demo',
    PERDURE_TOKEN_ENDPOINT: tokenEndpoint,
    PERDURE_CLIENT_ID: 'editor',
    PERDURE_CLIENT_SECRET: 'dev-editor',
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
}

/** A host that listens on every address is reached on loopback too, and commands trust a profile for nothing else. */
function onLoopback(api: string): string {
  return api.replace(/^http:\/\/(0\.0\.0\.0|\[::\])(?=:)/, 'http://127.0.0.1');
}
