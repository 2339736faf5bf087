/** The public Python client of the wire contract, unmodified, against this host. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveApi, type ServedApi } from '../../../api/serve.js';
import { repositoryRoot } from '../../../dev/repository.js';
import { findPythonPackage } from '../../../tools/foreign/python.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { startTestHost, type TestHost } from '../../api/operations/support/host.js';

/** The client wants a uuid. */
const projectID = '7c0d3f0e-51a5-4b0c-9a5d-0d9f4b1c2a11';

let packages: string | undefined;
let missing = '';
try {
  packages = await findPythonPackage('quantumbpm-sdk', '1.3.0');
} catch (error) {
  missing = `: skipped. ${errorMessage(error)}`;
}

let host: TestHost;
let served: ServedApi;
beforeAll(async () => {
  if (packages === undefined) return;
  host = await startTestHost();
  served = await serveApi(host.api.app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await served?.close();
  await host?.close();
});

it.skipIf(packages === undefined)(
  `edits, deploys, starts, works, and decides${missing}`,
  { timeout: 120_000 },
  async () => {
    const token = await host.api.issuer.sign({ sub: 'team', projects: [{ id: projectID, roles: ['admin'] }] });
    const script = join(repositoryRoot, 'test', 'client', 'public', 'public_client.py');
    const environment = { ...process.env, PYTHONPATH: packages, TOKEN: token, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await promisify(execFile)('python3', [script, served.url, projectID], {
      env: environment,
      timeout: 110_000,
    });
    expect(stdout.trim().split('\n')).toEqual([
      'edit a draft',
      'deploy',
      'route a BPMN error of a worker',
      'retry a job and complete it',
      'complete a user task and correlate a message',
      'cancel an instance',
      'stop the worker',
      'test a resource',
      'evaluate a decision',
    ]);
  },
);
