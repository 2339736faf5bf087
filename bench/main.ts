/**
 * `npm run bench [-- --json FILE] [--workload W1] [--rounds 3]`: the product against its twin, in one run. Rounds of
 * both take turns, so that what else the machine does falls on both. `--long-run NAME` measures that instance of many
 * turns instead, `--long-run all` each of them, `--search 1000000` searches over so many instances, `--suspension 100000`
 * what it costs to pause so many, `--access` what time tells a stranger and what a flood of bad tokens costs others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../scripts/repository.js';
import { measureAccess, type AccessFigures } from './access/index.js';
import { measureDecisions, type DecisionFigures } from './decisions.js';
import { measureExpressions, type ExpressionFigures } from './expressions.js';
import { historyOf, type HistoryCost } from './history.js';
import { measureLongRuns } from './long-runs.js';
import { measureIdleLatency, measureRound, type IdleLatency, type Round, type Subject } from './round.js';
import { measureSearch, type SearchFigures } from './search.js';
import { openStack, type Stack } from './stack.js';
import { median, rounded } from './statistics.js';
import { measureSuspension, type SuspensionFigures } from './suspension.js';
import { workloads, type Workload } from './workloads.js';

const CALLERS = [1, 4, 16];
const IDLE_INSTANCES = 30;
/** Until code is compiled and caches are warm. */
const WARM_UP_INSTANCES = 60;

interface Figures {
  /** Instances per second by number of callers, median of the rounds. */
  throughput: { [callers: string]: number };
  /** CPU milliseconds of the host process per instance at the largest number of callers. */
  nodeCpuMs: number;
  idleLatency: IdleLatency;
  history: HistoryCost;
}

interface Ratio {
  throughput: number;
  nodeCpu: number;
  events: number;
  idleLatencyP50: number;
}

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, workload: { type: 'string', multiple: true }, rounds: { type: 'string', default: '3' }, 'long-run': { type: 'string' }, search: { type: 'string' }, suspension: { type: 'string' }, access: { type: 'boolean' } },
});
const chosen = workloads.filter(({ name }) => !options.workload || options.workload.includes(name));

const machine = describeMachine();
const report = { machine, ...(await measureChosen()) };
if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);

async function measureChosen(): Promise<object> {
  if (options.search !== undefined) return measureSearches(Number(options.search));
  if (options.access) return measureAccessOfHost();
  if (options.suspension !== undefined) return measurePauses(Number(options.suspension));
  return measureWithStack();
}

async function measureWithStack(): Promise<object> {
  const stack = await openStack();
  const longRun = options['long-run'];
  try {
    if (longRun !== undefined) return { longRuns: await measureLongRuns(stack, longRun === 'all' ? undefined : longRun) };
    return { workloads: await measureAll(stack, Number(options.rounds)), ...(!options.workload && (await measureEvaluation())) };
  } finally {
    await stack.stop();
  }
}

async function measureSearches(instances: number): Promise<{ search: SearchFigures }> {
  const search = await measureSearch(instances);
  process.stdout.write(`${JSON.stringify({ machine, search }, null, 2)}\n`);
  return { search };
}

async function measurePauses(instances: number): Promise<{ suspension: SuspensionFigures }> {
  const suspension = await measureSuspension(instances);
  process.stdout.write(`${JSON.stringify({ machine, suspension }, null, 2)}\n`);
  return { suspension };
}

async function measureAccessOfHost(): Promise<{ access: AccessFigures }> {
  const access = await measureAccess();
  process.stdout.write(`${JSON.stringify({ machine, access }, null, 2)}\n`);
  return { access };
}

async function measureAll({ host, twin, temporalAddress }: Stack, rounds: number): Promise<Record<string, { host: Figures; twin: Figures; ratio: Ratio }>> {
  const results: Record<string, { host: Figures; twin: Figures; ratio: Ratio }> = {};
  for (const workload of chosen) {
    const [hostMeasured, twinMeasured] = await measurePair([host, twin], workload, rounds, temporalAddress);
    const result = { host: hostMeasured!, twin: twinMeasured!, ratio: ratioOf(hostMeasured!, twinMeasured!) };
    results[workload.name] = result;
    print(workload.name, result);
  }
  return results;
}

/** What needs no host: conditions and decision tables. */
async function measureEvaluation(): Promise<{ expressions: ExpressionFigures; decisions: DecisionFigures }> {
  const figures = { expressions: await measureExpressions(), decisions: await measureDecisions() };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  return figures;
}

async function measurePair(subjects: Subject[], workload: Workload, rounds: number, temporalAddress: string): Promise<Figures[]> {
  const definitions: string[] = [];
  const measured = subjects.map(() => new Map<number, Round[]>(CALLERS.map((callers) => [callers, []])));
  for (const subject of subjects) {
    const definition = await subject.client.deploy(workload.name, readFileSync(join(repositoryRoot, 'bench/models', workload.model), 'utf8'));
    definitions.push(definition);
    await measureRound(subject, workload, definition, 4, WARM_UP_INSTANCES);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const callers of CALLERS) {
      for (const [index, subject] of subjects.entries()) {
        measured[index]!.get(callers)!.push(await measureRound(subject, workload, definitions[index]!, callers, workload.count));
      }
    }
  }
  const figures: Figures[] = [];
  for (const [index, subject] of subjects.entries()) {
    const idleLatency = await measureIdleLatency(subject, workload, definitions[index]!, IDLE_INSTANCES);
    const [newest] = await subject.client.instances(definitions[index]!, 1);
    figures.push(summarize(measured[index]!, idleLatency, await historyOf(temporalAddress, newest!.workflowID)));
  }
  return figures;
}

function summarize(rounds: Map<number, Round[]>, idleLatency: IdleLatency, history: HistoryCost): Figures {
  const throughput: Figures['throughput'] = {};
  for (const [callers, measured] of rounds) throughput[callers] = rounded(median(measured.map((round) => round.instancesPerSecond)));
  const busiest = rounds.get(CALLERS.at(-1)!)!;
  return { throughput, nodeCpuMs: rounded(median(busiest.map((round) => round.nodeCpuMs))), idleLatency, history };
}

function ratioOf(host: Figures, twin: Figures): Ratio {
  const callers = CALLERS.at(-1)!;
  return {
    throughput: rounded(host.throughput[callers]! / twin.throughput[callers]!),
    nodeCpu: rounded(host.nodeCpuMs / twin.nodeCpuMs),
    events: rounded(host.history.events / twin.history.events),
    idleLatencyP50: rounded(host.idleLatency.p50Ms / twin.idleLatency.p50Ms),
  };
}

function print(name: string, { host, twin, ratio }: { host: Figures; twin: Figures; ratio: Ratio }): void {
  process.stdout.write(`${name}\n${line('host', host)}${line('twin', twin)}  ratio  ${JSON.stringify(ratio)}\n`);
}

function line(who: string, { throughput, nodeCpuMs, idleLatency, history }: Figures): string {
  const perSecond = CALLERS.map((callers) => `${callers}: ${throughput[callers]}/s`).join('  ');
  return `  ${who}   ${perSecond}  Node CPU ${nodeCpuMs} ms  idle p50 ${idleLatency.p50Ms} ms, p95 ${idleLatency.p95Ms} ms  ${history.events} events, ${history.workflowTasks} workflow tasks, ${history.bytes} bytes\n`;
}

function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)} before`;
}
