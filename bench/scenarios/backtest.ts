/** A backtest of many orders: its time, its CPU, and latencies of ordinary requests with it and without it, in one run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { createClient, unwrap, type PerdureClient, type Schemas } from '@perdure/client';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { repositoryRoot } from '../../dev/repository.js';
import { deploy, placeOrder } from '../../examples/order-fulfilment/place-order.js';
import type { Shop } from '../../examples/order-fulfilment/settings.js';
import { runWorker } from '../../examples/order-fulfilment/worker.js';
import { cpuOf, type Cpu, type Processes } from '../cpu.js';
import { openServices } from '../services.js';
import { Load, type Seen } from '../soak/load.js';
import { productBundle, startContender } from '../stack.js';
import { quantile, rounded } from '../statistics.js';
import { copyEndedInstances } from '../stored/seed.js';

export interface BacktestFigures {
  instances: number;
  arrivalsPerSecond: number;
  counts: Schemas['BpmnBacktest']['counts'];
  backtestSeconds: number;
  /** Before, during, and after it. */
  phases: Record<'before' | 'during' | 'after', PhaseFigures>;
  /** Of the time with it, divided by the mean of the times without it. */
  p99Ratio: { start: number; read: number };
  /** CPU seconds per second that the backtest adds. */
  addedCpu: Cpu;
}

interface PhaseFigures {
  seconds: number;
  startMs: { p50: number; p99: number };
  readMs: { p50: number; p99: number };
  /** Seconds per second. */
  cpu: Cpu;
}

const PROJECT = 'demo';
/** Real orders, of which the others are copies. */
const ORDERS = 50;
const ARRIVALS_PER_SECOND = 10;
const WARM_UP_SECONDS = 60;
const QUIET_SECONDS = 120;
const LOOK_MS = 500;
const folder = join(repositoryRoot, 'examples', 'order-fulfilment');

/** @param instances that the backtest compares */
export async function measureBacktest(instances: number): Promise<BacktestFigures> {
  const services = await openServices();
  try {
    const host = await startContender(services, 'host', productBundle);
    const { api, token } = host.client.target;
    const client = createClient({ api, accessToken: () => Promise.resolve(token) });
    await runOrders({ client, projectID: PROJECT });
    const store = new pg.Pool({ connectionString: await services.databaseUrl('bench_host'), max: 1 });
    // An order calls at most one payment, which is copied too.
    await copyEndedInstances(store, 2 * instances);
    await store.end();
    return await measure(client, { ...services.servers, node: host.processIDs }, instances);
  } finally {
    await services.stop();
  }
}

/** Half of them pass the changed condition otherwise, and one of ten is out of stock. */
async function runOrders(shop: Shop): Promise<void> {
  const models = pathToFileURL(`${folder}/`);
  await deploy(shop, 'collect-payment.bpmn', models);
  const definitionID = await deploy(shop, 'order-fulfilment.bpmn', models);
  const closing = new AbortController();
  const worker = runWorker(shop, closing.signal, () => undefined);
  for (let number = 0; number < ORDERS; number += 1)
    await placeOrder(shop, definitionID, {
      orderID: `order-${number}`,
      total: number % 2 === 0 ? 50 : 500,
      items: [{ sku: 'kettle', quantity: number % 10 === 9 ? 20 : 2 }],
    });
  const query = { status: 'RUNNING', pageSize: 1 };
  for (let running = 1; running > 0; await pause(LOOK_MS)) {
    const params = { path: { projectID: PROJECT }, query };
    const page = await unwrap(shop.client.GET('/projects/{projectID}/bpmn/instances', { params }));
    running = page.pagination.total;
  }
  closing.abort();
  await worker;
}

async function measure(client: PerdureClient, processes: Processes, instances: number): Promise<BacktestFigures> {
  const load = await Load.begin({ clients: [client], perSecond: ARRIVALS_PER_SECOND });
  const phase = async (work: () => Promise<unknown>): Promise<PhaseFigures> => {
    load.take();
    const [cpuBefore, begin] = [await cpuOf(processes), performance.now()];
    await work();
    return figuresOf(load.take(), (performance.now() - begin) / 1_000, cpuBefore, await cpuOf(processes));
  };
  try {
    await pause(WARM_UP_SECONDS * 1_000);
    const before = await phase(() => pause(QUIET_SECONDS * 1_000));
    let counts: BacktestFigures['counts'] | undefined;
    const during = await phase(async () => {
      counts = await backtest(client, instances);
    });
    const after = await phase(() => pause(QUIET_SECONDS * 1_000));
    const ratio = (of: 'startMs' | 'readMs') => rounded((2 * during[of].p99) / (before[of].p99 + after[of].p99));
    const added = (part: keyof Cpu) => rounded(during.cpu[part] - (before.cpu[part] + after.cpu[part]) / 2);
    return {
      instances,
      arrivalsPerSecond: ARRIVALS_PER_SECOND,
      counts: counts!,
      backtestSeconds: during.seconds,
      phases: { before, during, after },
      p99Ratio: { start: ratio('startMs'), read: ratio('readMs') },
      addedCpu: { node: added('node'), postgres: added('postgres'), temporal: added('temporal') },
    };
  } finally {
    await load.stop();
  }
}

/** Compares the orders with a version that asks for approvals of orders above 100 instead of 1,000. */
async function backtest(client: PerdureClient, newest: number): Promise<Schemas['BpmnBacktest']['counts']> {
  const model = decodeFile(readFileSync(join(folder, 'order-fulfilment.bpmn')), 'order-fulfilment.bpmn');
  const xml = model.replace('=total &gt; 1000', '=total &gt; 100');
  if (xml === model) throw new Error('The model of the example has no condition "=total > 1000" that could be changed');
  const path = { projectID: PROJECT };
  const body = { name: 'changed', xml };
  const { id: resourceID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources', { params: { path }, body }),
  );
  const { backtestID } = await unwrap(
    client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/backtests', {
      params: { path: { ...path, resourceID } },
      body: { newest },
    }),
  );
  for (;;) {
    const { status, counts, total } = await unwrap(
      client.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', { params: { path: { ...path, backtestID } } }),
    );
    if (status !== 'RUNNING') {
      if (total < newest) throw new Error(`The backtest compared ${total} instances, expected ${newest}`);
      return counts;
    }
    await pause(LOOK_MS);
  }
}

function figuresOf({ startMs, readMs, errors }: Seen, seconds: number, before: Cpu, after: Cpu): PhaseFigures {
  if (errors.length > 0) throw new Error(`${errors.length} requests failed; the first: ${errors[0]}`);
  const share = (part: keyof Cpu) => rounded((after[part] - before[part]) / (seconds * 1_000));
  const both = (times: readonly number[]) => ({
    p50: rounded(quantile(times, 0.5)),
    p99: rounded(quantile(times, 0.99)),
  });
  return {
    seconds: rounded(seconds),
    startMs: both(startMs),
    readMs: both(readMs),
    cpu: { node: share('node'), postgres: share('postgres'), temporal: share('temporal') },
  };
}
