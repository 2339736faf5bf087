/**
 * `npm run fuzz [-- --seconds 120] [--examples 30] [--seed 1] [--operation StartBpmnInstance]`: sends requests that
 * schemathesis generates from the OpenAPI document to a real host, single requests and sequences, as two people who
 * must not see each other's data. Exits with 0 when no response was a 5xx or an undocumented one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '@perdure/lib/error-message.js';
import { findSchemathesis, type Schemathesis } from './fuzz/schemathesis.js';
import { stopAllChildren } from '../dev/processes/child.js';
import { repositoryRoot } from '../dev/repository.js';
import { startTemporaryHost, type TemporaryHost } from '../dev/temporary-host.js';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ignored_auth',
  'object_level_authorization',
];

/** A request that is refused because of a limit shows nothing about its regular response. */
const withoutLimits = {
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
  MAX_CONNECTIONS_PER_ADDRESS: '4096',
  MAX_CONCURRENT_SEARCHES: '100',
  SIMULTANEOUS_EVALUATIONS: '1000',
};

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    examples: { type: 'string', default: '30' },
    seed: { type: 'string' },
    operation: { type: 'string', multiple: true },
  },
});

try {
  const schemathesis = await findSchemathesis();
  const host = await startTemporaryHost(withoutLimits);
  try {
    process.exitCode = await fuzz(schemathesis, host);
  } finally {
    await host.stop();
  }
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 2;
} finally {
  await stopAllChildren();
}

async function fuzz(schemathesis: Schemathesis, host: TemporaryHost): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-fuzz-'));
  try {
    await makeStranger(host);
    const users = [await userOf(host, 'admin'), await userOf(host, 'outsider')];
    writeFileSync(join(folder, 'users.json'), JSON.stringify({ auth: users }), { mode: 0o600 });
    writeFileSync(join(folder, 'schemathesis.toml'), configuration(folder));
    return await runProcess(
      schemathesis,
      [
        '--config-file',
        join(folder, 'schemathesis.toml'),
        'run',
        `${host.api}/openapi.json`,
        '--checks',
        checks.join(','),
        '--max-time',
        options.seconds,
        '--max-examples',
        options.examples,
        '--continue-on-failure',
        '--request-timeout',
        '90',
        '--generation-database',
        'none',
        '--suppress-health-check',
        'all',
        '--warnings',
        'off',
        '--no-color',
        ...(options.seed === undefined ? [] : ['--seed', options.seed]),
        ...(options.operation ?? []).flatMap((operation) => ['--include-operation-id', operation]),
      ],
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A person with every right in a separate project, and none in the first project. */
async function makeStranger({ environment }: TemporaryHost): Promise<void> {
  const response = await fetch(`${environment['OIDC_ADMIN_URL']}/projects/elsewhere/members/service-account-outsider`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${environment['OIDC_ADMIN_CLIENT_SECRET']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ roles: ['admin'] }),
  });
  if (!response.ok) throw new Error(`The issuer returned ${response.status} for the creation of a second account`);
}

/** In the format of Web Fuzzing Commons. */
async function userOf({ environment }: TemporaryHost, name: string) {
  const form = {
    grant_type: 'client_credentials',
    client_id: name,
    client_secret: `dev-${name}`,
    scope: 'openid profile',
  };
  const response = await fetch(`${environment['OIDC_ISSUER']}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`The issuer returned no token for ${name}`);
  return { name, fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }] };
}

/** Most requests use an existing project; otherwise nearly all of them would return 404. */
function configuration(folder: string): string {
  return [
    `hooks = ${JSON.stringify(join(repositoryRoot, 'tools', 'fuzz', 'hooks.py'))}`,
    '[auth.wfc]',
    `path = ${JSON.stringify(join(folder, 'users.json'))}`,
    'user = "admin"',
    'peers = ["admin", "outsider"]',
    '[parameters]',
    'projectID = "demo"',
    '',
  ].join('\n');
}

function runProcess(
  { command, arguments: before, environment }: Schemathesis,
  arguments_: string[],
  folder: string,
): Promise<number> {
  const child = spawn(command, [...before, ...arguments_], { cwd: folder, env: environment, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
