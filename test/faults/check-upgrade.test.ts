/** The check of an upgrade against a running installation: by the build that runs it, and by one that computes other facts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledScript } from '../../dev/repository.js';
import { scriptTask, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start, takeJob, untilStatus } from '../api/operations/support/steps.js';
import { temporalAddress } from '../support/infrastructure.js';

let host: TestHost;
let ended: string;

beforeAll(async () => {
  host = await startTestHost();
  const short = sequenceModel('short', [scriptTask('sum', '=1 + 2', 'total'), serviceTask('work')]);
  ended = await start(host, await deploy(host, short));
  const { executionKey, workflowID } = await takeJob(host, 'work');
  await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
    json: { workflowID, clientID: 'worker-1' },
  });
  await untilStatus(host, ended, 'COMPLETED');
  await start(host, await deploy(host, sequenceModel('long', [userTask('decide')])));
});
afterAll(() => host?.close());

/** As the candidate build would. Nothing may be written. */
async function checkUpgrade(...args: string[]): Promise<{ code: number | null; output: string }> {
  const environment = {
    ...process.env,
    DATABASE_URL: host.databaseUrl,
    PGOPTIONS: '-c default_transaction_read_only=on',
    TEMPORAL_ADDRESS: await temporalAddress(),
  };
  const check = spawn(process.execPath, [compiledScript('host/admin/check-upgrade.js'), ...args], { env: environment });
  const [output, problems] = await Promise.all([text(check.stdout), text(check.stderr)]);
  if (check.exitCode === null) await once(check, 'exit');
  return { code: check.exitCode, output: output + problems };
}

it('the build that took the steps computes them again, and replays a tenth', async () => {
  const { code, output } = await checkUpgrade();
  expect(output).toMatch(
    /^2 instances run again, \d+ histories replayed \(0 gone\), 1 versions compiled, 0 differences$/m,
  );
  expect(code).toBe(0);
});

it('facts that this build does not compute are named with process, version, node, and step', async () => {
  await host.store.query(
    `UPDATE steps SET facts = replace(facts::text, '"total":3', '"total":4')::json WHERE workflow_id = $1`,
    [ended],
  );
  const { code, output } = await checkUpgrade('--sample', '10');
  expect(output).toMatch(/^short version 1, node \w+, step 1: VARIABLES_SET differs in variables \(instance /m);
  expect(code).toBe(1);
});

it('wrong arguments are refused', async () => {
  expect(await checkUpgrade('--sample', '0')).toEqual({
    code: 2,
    output: '--sample must be 1 to 1000000, but is 0.\n',
  });
  expect(await checkUpgrade('--since', 'lately')).toMatchObject({ code: 2, output: expect.stringContaining('P7D') });
});
