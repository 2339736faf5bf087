/**
 * Replays what this build has just done. With `PERDURE_KEEP_HISTORIES=1` the histories are kept as well; do that once
 * before a release, and once before a change of what the workflow does (see docs/how-to/change-released-behavior.md).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRotatingServer, type RotatingServer } from '../temporal/support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from '../temporal/support/temporal-host.js';
import { expectReplays, replayAll, type RecordedHistory } from '../support/replays.js';
import { keepHistory } from './histories.js';
import { hotScenarios, rotation, scenarios, type Scenario } from './scenarios.js';

let host: TemporalHost;
let hotHost: TemporalHost;
let rotatingServer: RotatingServer;
let rotatingHost: TemporalHost;
/** By scenario. */
const replayed = new Map<string, Promise<(Error | undefined)[]>>();
beforeAll(async () => {
  [host, hotHost, rotatingServer] = await Promise.all([
    openTemporalHost({ hot: false }),
    openTemporalHost({ hot: true }),
    startRotatingServer(20),
  ]);
  rotatingHost = await openTemporalHost({ temporal: rotatingServer.address });
  replayOf(host, scenarios);
  replayOf(hotHost, hotScenarios);
  replayOf(rotatingHost, [rotation]);
});
afterAll(async () => {
  await Promise.allSettled(replayed.values());
  await Promise.all([host?.close(), hotHost?.close(), rotatingHost?.close()]);
  await rotatingServer?.stop();
});

/** Plays the scenarios, those that wait for a timer next to the others, and then replays all of them with one worker. */
function replayOf(on: TemporalHost, all: readonly Scenario[]): void {
  const lanes = [true, false].map((isSlow) => all.filter(({ waits = false }) => waits === isSlow));
  const recorded = new Map<string, Promise<RecordedHistory[]>>();
  for (const lane of lanes) {
    let before: Promise<unknown> = Promise.resolve();
    for (const scenario of lane) {
      const result = before.then(() => record(scenario, on));
      before = result.catch(() => undefined);
      recorded.set(scenario.name, result);
    }
  }
  const errors = Promise.allSettled(recorded.values()).then(async (results) => {
    const histories = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const found = await replayAll(on, histories);
    return new Map(histories.map((history, index) => [history, found[index]]));
  });
  for (const [name, result] of recorded) {
    const ofScenario = Promise.all([result, errors]).then(([own, byHistory]) => own.map((one) => byHistory.get(one)));
    ofScenario.catch(() => undefined);
    replayed.set(name, ofScenario);
  }
}

async function record(scenario: Scenario, on: TemporalHost): Promise<RecordedHistory[]> {
  const histories: RecordedHistory[] = [];
  for (const [index, id] of (await scenario.run(on)).entries()) {
    await on.handle(id).result();
    const fetched = await on.handle(id).fetchHistory();
    const history = (await scenario.reordered?.(on, id, fetched)) ?? fetched;
    histories.push({ workflowID: id, history });
    if (process.env['PERDURE_KEEP_HISTORIES'])
      keepHistory(index === 0 ? scenario.name : `${scenario.name}-${index + 1}`, id, history);
  }
  return histories;
}

async function expectReplayed({ name }: Scenario): Promise<void> {
  const errors = await replayed.get(name)!;
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((error) => error !== undefined)).toEqual([]);
}

test.each([...scenarios, ...hotScenarios])('$name replays', expectReplayed);

test('a run that continues with an instance replays', () => expectReplayed(rotation));

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
  await expectReplays(host, [{ workflowID: id!, history }]);
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
