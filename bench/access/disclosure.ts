/** Whether the time of an answer shows what its bytes do not: that an object of another project exists. */
import { randomUUID } from 'node:crypto';
import { rounded } from '../statistics.js';
import type { CountingIssuer } from './issuer.js';
import { compareSamples, type Comparison } from './mann-whitney.js';
import { timed } from './timed.js';

export interface DisclosureFigures {
  /** A caller who is not a member: things of a project that exists against a project that does not. */
  notMember: Comparison;
  /** A member: an instance of another project against an id that nothing has. */
  member: Comparison;
}

const pairs = 1_000;
const warmUp = 200;

/** @param existing a project that the caller is not a member of, and an instance in it */
export async function measureDisclosure(
  api: string,
  issuer: CountingIssuer,
  existing: { project: string; workflowID: string },
): Promise<DisclosureFigures> {
  const token = await issuer.sign({ sub: 'curious', projects: [{ id: 'demo', roles: ['viewer'] }] });
  const path = (project: string, workflowID: string) => `${api}/projects/${project}/bpmn/instances/${workflowID}`;
  return {
    notMember: await compare(
      token,
      () => path(existing.project, existing.workflowID),
      () => path(sameLength(existing.project), randomUUID()),
    ),
    member: await compare(
      token,
      () => path('demo', existing.workflowID),
      () => path('demo', randomUUID()),
    ),
  };
}

/** Both kinds in turn, which of them first at random, so that what else the machine does falls on both. */
async function compare(token: string, existing: () => string, missing: () => string): Promise<Comparison> {
  const times = { existing: [] as number[], missing: [] as number[] };
  for (let pair = -warmUp; pair < pairs; pair += 1) {
    const order = Math.random() < 0.5 ? (['existing', 'missing'] as const) : (['missing', 'existing'] as const);
    for (const kind of order) {
      const { status, milliseconds } = await timed(kind === 'existing' ? existing() : missing(), token);
      if (status !== 404) throw new Error(`Expected 404 for ${kind} things, found ${status}`);
      if (pair >= 0) times[kind].push(milliseconds);
    }
  }
  const compared = compareSamples(times.existing, times.missing);
  return { ...compared, medianDifferenceMs: rounded(compared.medianDifferenceMs) };
}

function sameLength(project: string): string {
  return randomUUID().replaceAll('-', '').padEnd(project.length, 'x').slice(0, project.length);
}
