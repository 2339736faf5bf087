import type { Told } from './services.js';

/** The one line for programs. */
export function readyLine(told: Told): string {
  return `READY ${JSON.stringify(told)}`;
}

/** What people read below it: where things are, how to sign in, and what to try first. */
export function greeting(told: Told): string {
  const places = [
    ['API', told.api && `${told.api} (documentation at ${told.api}/docs)`],
    ['Console', told.console],
    ['Temporal UI', told.temporalUi],
    ['Temporal', told.temporal],
  ];
  const lines = places.filter(([, where]) => where).map(([what, where]) => `  ${what?.padEnd(12)}${where}`);
  return ['', ...lines, ...logins(told), ...firstSteps(told), '', 'Ctrl-C stops everything; the data stays.', ''].join('\n');
}

function logins({ issuer }: Told): string[] {
  if (issuer === undefined) return [];
  return ['', 'Sign in as viewer, executor, editor, admin, system-admin or outsider; each password is dev- and the name.', 'Programs use the same names and secrets with the client credentials grant.'];
}

function firstSteps({ api, tokenEndpoint }: Told): string[] {
  if (api === undefined || tokenEndpoint === undefined) return [];
  return [
    '',
    'Try it in another terminal:',
    '',
    `  TOKEN=$(curl -s -u editor:dev-editor -d grant_type=client_credentials ${tokenEndpoint} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s -H "Authorization: Bearer $TOKEN" ${api}/projects`,
    `  curl -s -H "Authorization: Bearer $TOKEN" ${api}/projects/demo/bpmn/instances`,
  ];
}
