import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { multiInstance, sequenceModel, serviceTask } from '@perdure/testkit/models';
import { LeasedJobs, type LeasedJobsOptions } from '../../connectors/leased-jobs.js';
import { testProjectOf } from '../../store/projects/tests.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start } from '../api/operations/support/steps.js';
import { silent } from '../support/host-services.js';

/** Jobs that a connector performs of one project at a time. */
const SHARE = 16;
/** Longer than a test lasts. */
const LONG_MS = 600_000;
const never = new AbortController().signal;

let host: TestHost;
let finish: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  host = await startTestHost();
});
afterEach(() => finish());
afterAll(() => host?.close());

/** Jobs of the type that are leased, with the functions that end them. The jobs stay leased. */
function leasing(type: string, hearTasks: LeasedJobsOptions['hearTasks'] = host.notifications.hearTasks) {
  const ends: (() => void)[] = [];
  const jobs = new LeasedJobs({
    store: host.store,
    hearTasks,
    logger: silent,
    types: [type],
    leaseMilliseconds: LONG_MS,
    what: 'jobs of the test',
    work: () => new Promise((resolve) => ends.push(resolve)),
  });
  finish = async () => {
    for (const end of ends) end();
    await jobs.finish();
  };
  /** One round of the chore. */
  async function run(milliseconds = LONG_MS) {
    await jobs.wait(milliseconds, never);
    return jobs.takeAll({ stopping: never });
  }
  return { ends, jobs, run };
}

async function createJobs(type: string, count: number) {
  const task = serviceTask('call', { type, inputs: { url: '="http://localhost"' }, loop: multiInstance('=items') });
  const definitionID = await deploy(host, sequenceModel('many', [task]));
  await start(host, definitionID, { variables: { items: Array.from({ length: count }, (_, index) => index) } });
}

describe('a connector', () => {
  it('leases a job as soon as it is there, without waiting for its next look', async () => {
    const type = 'perdure:http';
    const { ends, jobs, run } = leasing(type);
    await jobs.takeAll({ stopping: never });
    const round = run();
    await createJobs(type, 1);
    await round;
    expect(ends).toHaveLength(1);
  });

  it('leases a job that waited for a place as soon as another job ends', async () => {
    const type = 'io.camunda:http-json:1';
    const { ends, jobs, run } = leasing(type);
    await jobs.takeAll({ stopping: never });
    await createJobs(type, SHARE + 1);
    while (ends.length < SHARE) await run();
    expect(await jobs.takeAll({ stopping: never })).toBe('done');
    expect(ends).toHaveLength(SHARE);
    const round = run();
    ends[0]!();
    await round;
    expect(ends).toHaveLength(SHARE + 1);
  });

  it('looks at all projects also while it hears of new jobs without a pause', async () => {
    const type = 'never-announced';
    await createJobs(type, 1);
    let hear: (projectID: string) => void = () => undefined;
    const { ends, jobs, run } = leasing(type, (_types, hearProject) => {
      hear = hearProject;
      return () => undefined;
    });
    await jobs.takeAll({ stopping: never });
    for (const end of ends.splice(0)) end();
    await createJobs(type, 1);
    while (ends.length === 0) {
      hear('another-project');
      await run();
    }
  });

  it('does not lease a job of a draft that it hears of', async () => {
    const query = vi.spyOn(host.store, 'query');
    let hear: (projectID: string) => void = () => undefined;
    const { run } = leasing('perdure:http', (_types, hearProject) => {
      hear = hearProject;
      return () => undefined;
    });
    hear('p1');
    hear(testProjectOf('p1'));
    await run(1);
    const asked = JSON.stringify(query.mock.calls);
    query.mockRestore();
    expect(asked).toContain('["p1"');
    expect(asked).not.toContain(testProjectOf('p1'));
  });
});
