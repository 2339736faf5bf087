/**
 * `npm run bench -- --loop`: how long the worst request of each kind keeps the event loop of a host with the role `api`
 * from other callers, in CPU time of its thread. Every operation with a body gets each worst value in the members that
 * take any value, or else in its first one.
 */
import { connect } from 'node:net';
import { freePort } from '../../dev/ports.js';
import { operations } from '../../api/operations/index.js';
import { openServices } from '../services.js';
import { productBundle } from '../stack.js';
import { membersOfBody, operationsWithBody, pathOf } from './bodies.js';
import { specialRequests, type SpecialRequest } from './special-requests.js';
import { worstValues } from './worst-values.js';

export interface LoopFigure {
  what: string;
  /** Where it took longest. */
  operation: string;
  status: number;
  /** Of the longest round of the event loop, in CPU milliseconds. */
  maxMs: number;
  requests: number;
}

const PROJECT = 'demo';
const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** For the braces and the name of a member. */
const ROOM_BYTES = 512;
/** The shortest of so many counts for the worst request: a garbage collection can hit any of them. */
const REPETITIONS = 3;

export async function measureLoop(): Promise<LoopFigure[]> {
  const services = await openServices();
  try {
    const probePort = await freePort();
    const { api } = await services.startHost({
      name: 'loop',
      workflowBundle: productBundle,
      roles: 'api',
      settings: {
        BENCH_LOOP_PORT: String(probePort),
        MAX_BODY_BYTES_PER_SECOND: '999999999',
        THREAD_SECONDS_PER_MINUTE: '100000',
      },
    });
    const { token } = (await services.clientOf(api!)).target;
    const send = async ({ method, path, body, headers = {} }: SpecialRequest): Promise<number> => {
      const all: Record<string, string> = { Authorization: `Bearer ${token}`, ...headers };
      if (body !== undefined) all['Content-Type'] = 'application/json';
      const response = await fetch(api + path, { method, headers: all, ...(body !== undefined && { body }) });
      await response.arrayBuffer();
      return response.status;
    };
    const measure: Measure = async (request, repetitions) => {
      let ms = Infinity;
      let status = 0;
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        await longestRound(probePort);
        status = await send(request);
        ms = Math.min(ms, await longestRound(probePort));
      }
      return { status, ms };
    };
    await send({ method: 'GET', path: '/openapi.json' });
    const figures = [await measureIdle(probePort)];
    for (const { kind, text } of worstValues(MAX_BODY_BYTES - ROOM_BYTES))
      figures.push(await measureKind(kind, text, measure));
    for (const special of specialRequests(PROJECT)) {
      const { status, ms } = await measure(special, REPETITIONS);
      figures.push({
        what: special.what!,
        operation: `${special.method} ${special.path}`,
        status,
        maxMs: ms,
        requests: REPETITIONS,
      });
    }
    return figures;
  } finally {
    await services.stop();
  }
}

type Measure = (request: SpecialRequest, repetitions: number) => Promise<{ status: number; ms: number }>;

/** The worst of all operations. Each request is sent once, and the worst again. */
async function measureKind(kind: string, text: string, measure: Measure): Promise<LoopFigure> {
  let requests = 0;
  let worst: { operationID: string; request: SpecialRequest; ms: number } | undefined;
  for (const operation of operationsWithBody(operations)) {
    const members = membersOfBody(operation);
    const bodies = members.length === 0 ? [text] : members.map((name) => `{"${name}":${text}}`);
    for (const body of bodies) {
      const request = { method: operation.method, path: pathOf(operation, PROJECT), body };
      const { ms } = await measure(request, 1);
      requests += 1;
      if (worst === undefined || ms > worst.ms) worst = { operationID: operation.operationID, request, ms };
    }
  }
  const { status, ms } = await measure(worst!.request, REPETITIONS);
  return { what: kind, operation: worst!.operationID, status, maxMs: ms, requests: requests + REPETITIONS };
}

/** CPU time of the probe and of the work in the background. */
async function measureIdle(port: number): Promise<LoopFigure> {
  await longestRound(port);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return { what: 'no request', operation: '', status: 0, maxMs: await longestRound(port), requests: 0 };
}

function longestRound(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    connect(port, '127.0.0.1')
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => resolve(Number(text)))
      .on('error', reject);
  });
}

export function loopTable(figures: readonly LoopFigure[]): string {
  const rows = figures.map(
    ({ what, operation, status, maxMs, requests }) =>
      `| ${what} | ${operation} | ${status || ''} | ${requests || ''} | ${maxMs.toFixed(1)} |`,
  );
  return ['| body | worst at | status | requests | longest round, CPU ms |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}
