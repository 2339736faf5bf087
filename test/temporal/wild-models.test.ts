/** Hostile models, and random ones without any structure, on Temporal: whatever they do, a cancel takes effect. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { projectOf } from '../conformance/play.js';
import { RestDriver, type SendToProject } from '../conformance/rest.js';
import { act } from '../conformance/case.js';
import { Random } from '../engine/random/random.js';
import { base, playSeed, scale, scaled, seedsFrom } from '../engine/random/seeds.js';
import { keptSeeds } from '../engine/random/kept-seeds.js';
import { WildModel, wildVariables } from '../engine/random/wild.js';
import { eventually } from '../support/eventually.js';
import { hostileModelsOf, type HostileModel } from '../support/hostile-models.js';

const WILD_MODELS = scaled(2);
/** Enough for what was computed at once to have aborted a worker. */
const SIZE = 3000;
const test = { file: 'test/temporal/wild-models.test.ts', kept: 'wildModels' };

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

it.each(hostileModelsOf(SIZE).map((model) => [model.title, model] as const))(
  '%s: a cancel takes effect',
  { timeout: 300_000 },
  async (_title, model) => {
    await playAndCancel(model);
  },
);

it(
  `the host cancels every instance of ${WILD_MODELS} models without any structure (RANDOM_SEED=${base})`,
  { timeout: 600_000 * scale },
  async () => {
    for (const seed of seedsFrom(keptSeeds.wildModels, WILD_MODELS)) {
      const random = new Random(seed);
      const files = new WildModel(random).process();
      const play = Array.from({ length: random.below(4) }, () =>
        act.setVariables(withoutUnstorable(wildVariables(random))),
      );
      await playSeed(seed, test, () =>
        playAndCancel({ title: `seed ${seed}`, files, variables: { x: 1, list: [1, 2, 3], text: 'a' }, play }),
      );
    }
  },
);

/** Reasons of rejected models, and stimuli after the end, do not matter here. */
async function playAndCancel(model: HostileModel): Promise<void> {
  const send = projectOf(host);
  const failures: string[] = [];
  const driver = new RestDriver(noting(failures, send), { ...model, shows: model.title, section: '', outcome: [] });
  await driver.begin().catch(() => undefined);
  for (const stimulus of model.play ?? []) await driver.apply(stimulus).catch(() => undefined);
  expect(failures).toEqual([]);
  for (;;) {
    const { body } = await send('GET', '/bpmn/instances?pageSize=100&status=RUNNING');
    const running = (body.data as { workflowID: string }[]).map(({ workflowID }) => `/bpmn/instances/${workflowID}`);
    if (running.length === 0) return;
    for (const path of running) await cancel(send, path);
  }
}

async function cancel(send: SendToProject, path: string): Promise<void> {
  for (const view of ['', '/history', '/timeline'])
    expect((await send('GET', path + view)).status, `GET ${path}${view}`).toBe(200);
  // One above it may have been canceled a moment earlier.
  expect([200, 202, 204, 409]).toContain((await send('DELETE', path)).status);
  await eventually(
    () => send('GET', path),
    ({ body }) => body.status !== 'RUNNING',
  );
}

/** No answer to a hostile request is a failure of the host. */
function noting(failures: string[], send: SendToProject): SendToProject {
  return async (...request) => {
    const answer = await send(...request);
    if (answer.status >= 500) failures.push(`${request[0]} ${request[1]} was answered ${answer.status}`);
    return answer;
  };
}

/** Variables that the door takes. */
function withoutUnstorable(variables: object): Record<string, never> {
  return JSON.parse(JSON.stringify(variables).replaceAll(/\\u(0000|d[89a-f][0-9a-f]{2})/g, '')) as Record<
    string,
    never
  >;
}
