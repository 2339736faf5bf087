import type { StartupInfo } from './services.js';

/**
 * Shell exports that let the command line and the examples sign in to this host, as `. .perdure/env` in a POSIX shell.
 * Undefined when there is no API to call or no development issuer whose account could be named.
 */
export function shellProfile({ api, tokenEndpoint }: StartupInfo): string | undefined {
  if (api === undefined || tokenEndpoint === undefined) return undefined;
  const variables = {
    PERDURE_API: api,
    PERDURE_PROJECT: 'demo',
    PERDURE_TOKEN_ENDPOINT: tokenEndpoint,
    PERDURE_CLIENT_ID: 'editor',
    PERDURE_CLIENT_SECRET: 'dev-editor',
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');
}

/** One word for the shell, whatever is in it. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
