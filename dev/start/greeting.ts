import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.js';
import type { StartupInfo } from './services.js';

/** The one line for programs. */
export function readyLine(info: StartupInfo): string {
  return `READY ${JSON.stringify(info)}`;
}

const hasExamples = existsSync(join(repositoryRoot, 'examples'));

/**
 * The text for people below it: addresses, sign-in, and first steps.
 *
 * @param isCheckout whether the examples of the tour are there; the package `@perdure/dev` has none
 */
export function greeting(info: StartupInfo, isCheckout = hasExamples): string {
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
    ...(isCheckout ? firstSteps(info) : stepsInProject(info)),
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

function stepsInProject({ api, tokenEndpoint }: StartupInfo): string[] {
  if (api === undefined || tokenEndpoint === undefined) return [];
  return [
    '',
    'Try it: open the console and run the example. In another terminal, commands in this folder find the host:',
    '',
    'npx perdure deploy FILE|DIR...',
  ];
}
