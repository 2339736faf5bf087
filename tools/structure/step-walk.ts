/** How many files of the engine a reader enters who follows one step: a job completes, and the next one is created. */
import { Session } from 'node:inspector/promises';
import { testProcess } from '@perdure/testkit';
import { processModel, serviceTask, startEvent } from '@perdure/testkit/models';

/** Functions that the testkit calls, to compare each step with its replay. */
const CALLED_BY_TESTKIT = 'packages/engine/state/lifecycle.ts';

/** Paths of the files with a function that the step calls, sorted. Loading a file does not count. */
export async function roomsOfStep(): Promise<string[]> {
  const model = await testProcess(
    processModel('p', [startEvent('s'), serviceTask('x'), serviceTask('y')], ['a: s -> x', 'b: x -> y']),
  );
  const job = model.start({ a: 1 }).job('x');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Forgets the functions that have been called so far.
    await session.post('Profiler.takePreciseCoverage');
    job.complete({ b: 2 });
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
      )
      .map(({ url }) => /packages\/engine\/.+(?=\.[jt]s$)/.exec(url)?.[0])
      .filter((path) => path !== undefined)
      .map((path) => `${path}.ts`);
    return [...new Set(entered)].filter((path) => path !== CALLED_BY_TESTKIT).sort();
  } finally {
    session.disconnect();
  }
}
