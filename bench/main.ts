/**
 * `npm run bench [-- --json FILE] [--workload W1] [--rounds 3] [--instances 20]`: the product against itself without hot
 * instances, its twin and Temporal alone, in one run; each round starts `instances` instances. Alternatives:
 * - `--against FOLDER [--pairs 8] [--callers 16]`: this build against that of another checkout, in pairs of rounds;
 * - `--waiting all`: tasks and messages that all wait first and are completed then, as peers were measured; `W5` or `W6` alone;
 * - `--workers 3`: three worker processes against one;
 * - `--stored 1000000`: the cost of an instance with that many stored against 1,000;
 * - `--long-run NAME`: that instance with many rounds of work, or `all` of them;
 * - `--search 1000000`: searches over that many instances;
 * - `--lists 1000000`: the first page of each list with that many rows, by filter and order;
 * - `--suspension 100000`: the cost of pausing that many;
 * - `--backtest 10000`: a backtest of that many orders, and what ordinary requests notice of it;
 * - `--limits 1000`: jobs with a limit for each of that many keys against jobs without one;
 * - `--loop`: how long the worst requests block the event loop;
 * - `--access`: timing leaks, and the cost of a flood of invalid tokens for other callers.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAccess } from './access/index.js';
import { measureAgainst } from './against.js';
import { compare } from './comparison.js';
import { measureBacktest } from './scenarios/backtest.js';
import { measureDecisions } from './scenarios/decisions.js';
import { measureExpressions } from './scenarios/expressions.js';
import { goalTable, ratioTable } from './hot-instances.js';
import { listTable, measureLists } from './scenarios/lists.js';
import { measureLongRuns } from './scenarios/long-runs.js';
import { loopTable, measureLoop } from './loop/index.js';
import { measureWaiting } from './scenarios/waiting.js';
import { measureLimits } from './scenarios/limits.js';
import { measureScale } from './scenarios/scale.js';
import { measureSearch } from './scenarios/search.js';
import { openStack } from './stack.js';
import { measureStored } from './stored/index.js';
import { measureSuspension } from './scenarios/suspension.js';
import { workloads, type Workload } from './workloads.js';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    workload: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    instances: { type: 'string' },
    against: { type: 'string' },
    pairs: { type: 'string', default: '8' },
    callers: { type: 'string', default: '16' },
    waiting: { type: 'string' },
    workers: { type: 'string' },
    stored: { type: 'string' },
    'long-run': { type: 'string' },
    search: { type: 'string' },
    lists: { type: 'string' },
    suspension: { type: 'string' },
    limits: { type: 'string' },
    backtest: { type: 'string' },
    access: { type: 'boolean' },
    loop: { type: 'boolean' },
  },
});

const rounds = Number(options.rounds);
const machine = describeMachine();
const report = { machine, ...(await measureChosen()) };
if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);

async function measureChosen(): Promise<object> {
  const { search, access, backtest, loop, limits, suspension, waiting, workers, stored } = options;
  const instances = options.instances === undefined ? undefined : Number(options.instances);
  if (options.against !== undefined) {
    const all = chosen(workloads.map(({ name }) => name));
    return { against: await measureAgainst(options.against, all, Number(options.pairs), Number(options.callers)) };
  }
  if (search !== undefined) return printed({ search: await measureSearch(Number(search)) });
  if (options.lists !== undefined) {
    const figures = await measureLists(Number(options.lists));
    process.stdout.write(listTable(figures));
    return { lists: figures };
  }
  if (loop) {
    const figures = await measureLoop();
    process.stdout.write(loopTable(figures));
    return { loop: figures };
  }
  if (access) return printed({ access: await measureAccess() });
  if (suspension !== undefined) return printed({ suspension: await measureSuspension(Number(suspension)) });
  if (backtest !== undefined) return printed({ backtest: await measureBacktest(Number(backtest)) });
  if (limits !== undefined) return printed({ limits: await measureLimits(Number(limits), rounds, instances) });
  if (waiting !== undefined)
    return printed({ waiting: await measureWaiting(waiting === 'all' ? ['W5', 'W6'] : [waiting], instances) });
  if (workers !== undefined)
    return printed({ scale: await measureScale(Number(workers), chosen(['W1', 'W2']), rounds) });
  if (stored !== undefined)
    return printed({ stored: await measureStored(Number(stored), chosen(['W1', 'W2']), rounds) });
  return measureWithStack();
}

/** @param names of those that are taken when none are asked for */
function chosen(names: readonly string[]): Workload[] {
  const wanted = options.workload ?? names;
  return workloads
    .filter(({ name }) => wanted.includes(name))
    .map((workload) => ({ ...workload, count: Number(options.instances ?? workload.count) }));
}

async function measureWithStack(): Promise<object> {
  const longRun = options['long-run'];
  const stack = await openStack();
  try {
    if (longRun !== undefined)
      return { longRuns: await measureLongRuns(stack, longRun === 'all' ? undefined : longRun) };
    const comparisons = await compare(stack, chosen(workloads.map(({ name }) => name)), rounds);
    process.stdout.write(`\n${ratioTable(comparisons)}\n\n${goalTable(comparisons)}\n\n`);
    return { workloads: comparisons, ...(!options.workload && (await measureEvaluation())) };
  } finally {
    await stack.stop();
  }
}

/** Measurements without a host: conditions and decision tables. */
async function measureEvaluation(): Promise<object> {
  return printed({ expressions: await measureExpressions(), decisions: await measureDecisions() });
}

function printed(figures: object): object {
  process.stdout.write(`${JSON.stringify({ machine, ...figures }, null, 2)}\n`);
  return figures;
}

function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} before`;
}
