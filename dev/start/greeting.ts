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

function firstSteps({ api, tokenEndpoint }: StartupInfo): string[] {
  if (api === undefined || tokenEndpoint === undefined) return [];
  const order =
    '{"processId": "order-fulfilment", "businessId": "order-1", "variables": {"orderID": "order-1", ' +
    '"total": 120, "items": [{"sku": "kettle", "quantity": 2}]}}';
  const post = `curl -s -H "$AUTH" -H 'Content-Type: application/json'`;
  const file =
    `node -p "JSON.stringify({name: '$NAME', xml: fs.readFileSync('examples/order-fulfilment/$NAME.bpmn', ` +
    `'utf8')})"`;
  const member = (name: string) => `node -p 'JSON.parse(fs.readFileSync(0)).${name}'`;
  return [
    '',
    'Try it: open the console and run the example, or follow the tour in README.md with npx perdure.',
    'With curl, in another terminal in this folder: sign in, deploy two processes, and start an order.',
    '',
    `API=${api}/projects/demo/bpmn AUTH="Authorization: Bearer $(curl -s -u editor:dev-editor -d ` +
      `grant_type=client_credentials ${tokenEndpoint} | ${member('access_token')})"`,
    `for NAME in collect-payment order-fulfilment; do ID=$(${file} | ${post} -d @- $API/resources | ` +
      `${member('id')}); curl -s -H "$AUTH" -X POST $API/resources/$ID/deploy; done`,
    `${post} -d '${order}' $API/instances`,
    '',
    'Then run its job worker: see examples/order-fulfilment/README.md.',
  ];
}
