/**
 * Replays what this build has just done. With `PERDURE_KEEP_HISTORIES=1` the histories are kept as well; do that once
 * before a release, and once before a change of what the workflow does (see docs/how-to/change-released-behavior.md).
 */
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRotatingServer, type RotatingServer } from '../temporal/support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from '../temporal/support/temporal-host.js';
import { keepHistory } from './histories.js';
import { hotScenarios, rotation, scenarios, type Scenario } from './scenarios.js';

let host: TemporalHost;
let hotHost: TemporalHost;
let rotatingServer: RotatingServer;
let rotatingHost: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost({ hot: false });
  hotHost = await openTemporalHost({ hot: true });
  rotatingServer = await startRotatingServer(20);
  rotatingHost = await openTemporalHost({ temporal: rotatingServer.address });
});
afterAll(async () => {
  await host.close();
  await hotHost.close();
  await rotatingHost.close();
  await rotatingServer.stop();
});

async function replay(scenario: Scenario, on: TemporalHost): Promise<void> {
  for (const [index, id] of (await scenario.run(on)).entries()) {
    await on.handle(id).result();
    const recorded = await on.handle(id).fetchHistory();
    const history = (await scenario.reordered?.(on, id, recorded)) ?? recorded;
    await expect(
      Worker.runReplayHistory(
        { workflowBundle: { codePath: on.bundlePath }, dataConverter: on.dataConverter },
        history,
        id,
      ),
    ).resolves.toBeUndefined();
    if (process.env['PERDURE_KEEP_HISTORIES'])
      keepHistory(index === 0 ? scenario.name : `${scenario.name}-${index + 1}`, id, history);
  }
}

test.each(scenarios)('$name replays', (scenario) => replay(scenario, host));

test.each(hotScenarios)('$name replays', (scenario) => replay(scenario, hotHost));

test('a run that continues with an instance replays', () => replay(rotation, rotatingHost));

/** A straight run whose first step commit was answered otherwise. */
async function replayWith(change: (answer: { digest: string; inputs: object }) => object): Promise<void> {
  const [id] = await scenarios.find(({ name }) => name === 'straight-through')!.run(host);
  await host.handle(id!).result();
  const history = await host.handle(id!).fetchHistory();
  const marker = history.events!.find(
    ({ markerRecordedEventAttributes }) => markerRecordedEventAttributes,
  )!.markerRecordedEventAttributes!;
  const [answer] = marker.details!['result']!.payloads!;
  answer!.data = Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(answer!.data!).toString()))));
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
    history,
    id!,
  );
}

test('a replay with other facts than the written ones fails and names where they differ', async () => {
  const replayed = replayWith((answer) => {
    const [count, total, blocks] = answer.digest.split('.');
    return { ...answer, digest: [count, `${total}x`, `${blocks!.slice(0, 8)}zzzz${blocks!.slice(12)}`].join('.') };
  });
  await expect(replayed).rejects.toThrow(/This build cannot repeat step 1 of .*: .* the first difference is fact 3 \(/);
});

test('a replay takes the first step with the flags that were written, not with those of its build', async () => {
  const replayed = replayWith(({ inputs, ...answer }) => ({ ...answer, inputs: { ...inputs, flags: ['invented'] } }));
  await expect(replayed).rejects.toThrow(/the first difference is fact 1 \(INSTANCE_STARTED\)/);
});
