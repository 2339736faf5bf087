/** Plays cases through the REST API, many at once. */
import { read, type TestHost } from '../api/operations/support/host.js';
import { uniqueName } from '../support/infrastructure.js';
import type { ConformanceCase } from './case.js';
import { expectOutcome } from './driver.js';
import { playThroughRest, type Manner } from './play-through-rest.js';
import type { SendToProject } from './rest.js';

const AT_ONCE = 10;
const manner: Manner = { patience: 60_000, betweenLooks: 250 };

/** Several cases at once, in their order. */
export function playAll(host: TestHost, cases: readonly ConformanceCase[]): Map<ConformanceCase, Promise<void>> {
  const played = new Map<ConformanceCase, Promise<void>>();
  const begins = cases.map((given) => {
    let begin = (): void => undefined;
    const result = new Promise<void>((resolve) => (begin = resolve)).then(async () =>
      expectOutcome(await playThroughRest(projectOf(host), given, manner), given),
    );
    played.set(given, result);
    return () => {
      begin();
      return result.catch(() => undefined);
    };
  });
  const rest = begins.values();
  for (let lane = 0; lane < AT_ONCE; lane += 1) void inOrder(rest);
  return played;
}

/** Lanes share the iterator: each takes the next case when it is free. */
async function inOrder(begins: Iterator<() => Promise<void>>): Promise<void> {
  for (let next = begins.next(); next.done !== true; next = begins.next()) await next.value();
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
