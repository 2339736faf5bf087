/** Plays cases through the REST API, many at once. */
import { read, type TestHost } from '../api/operations/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import type { ConformanceCase } from './case.js';
import { expectOutcome } from './driver.js';
import { playThroughRest, type Manner } from './play-through-rest.js';
import type { SendToProject } from './rest.js';

const AT_ONCE = 10;
const manner: Manner = { patience: 60_000, betweenLooks: 250 };

/** Several cases at once, as many as there are lanes. */
export function playAll(host: TestHost, cases: readonly ConformanceCase[]): Map<ConformanceCase, Promise<void>> {
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const played = new Map<ConformanceCase, Promise<void>>();
  for (const [index, given] of cases.entries()) {
    const lane = index % AT_ONCE;
    const result = lanes[lane]!.then(() => playThroughRest(projectOf(host), given, manner)).then((rest) =>
      expectOutcome(rest, given),
    );
    lanes[lane] = result.catch(() => undefined);
    played.set(given, result);
  }
  return played;
}

/** A separate project, which is created by the first request. */
export function projectOf({ api }: TestHost): SendToProject {
  const project = uniqueName('conformance');
  const token = api.issuer.sign({ sub: project, projects: [{ id: project, roles: ['admin'] }] });
  return async (method, path, json, headers = {}) =>
    read(
      await api.request(method, `/projects/${project}${path}`, { token: await token, headers, ...(json && { json }) }),
    );
}
