import type { StartupInfo } from './services.js';

/** The one line for programs. */
export function readyLine(info: StartupInfo): string {
  return `READY ${JSON.stringify(info)}`;
}

/** The text for people below it: addresses, sign-in, and first steps. */
export function greeting(info: StartupInfo): string {
  const places = [
    ['API', info.api && `${info.api} (documentation at ${info.api}/docs)`],
    ['Console', info.console],
    ['Temporal UI', info.temporalUi],
    ['Temporal', info.temporal],
  ];
  const lines = places.filter(([, where]) => where).map(([what, where]) => `  ${what?.padEnd(12)}${where}`);
  return [
    '',
    ...lines,
    ...logins(info),
    ...firstSteps(info),
    '',
    'Press Ctrl-C to stop everything; the data is kept.',
    '',
  ].join('\n');
}

function logins({ issuer }: StartupInfo): string[] {
  if (issuer === undefined) return [];
  return [
    '',
    'Sign in as viewer, executor, editor, admin, system-admin, or outsider; each password is dev-<name>.',
    'Programs use the same names and passwords with the client credentials grant.',
  ];
}

/** The first steps of the tour in README.md. The commands find the host and sign in by `.perdure/env`. */
function firstSteps({ api, tokenEndpoint }: StartupInfo): string[] {
  if (api === undefined || tokenEndpoint === undefined) return [];
  const order = '{"orderID": "order-1", "total": 120, "items": [{"sku": "kettle", "quantity": 2}]}';
  return [
    '',
    'Try it: open the console and run the example, or enter these lines in another terminal in this folder.',
    '',
    'npx perdure deploy examples/order-fulfilment',
    `ORDER=$(npx perdure start order-fulfilment --business-id order-1 --variables '${order}')`,
    'node --env-file=.perdure/env dist/examples/order-fulfilment/worker.js &',
    'npx perdure watch $ORDER',
    '',
    'README.md has the rest of the tour.',
  ];
}
