/** Goals of hot instances and the results of a run, as tables for `docs/performance.md`. */
import { ratioTo, type Comparison, type Comparisons, type Other } from './comparison.js';

interface Goal {
  workload: string;
  against: Other;
  figure: 'throughput' | 'cpu' | 'idleLatencyP50';
  wanted: Bound;
}

type Bound = { atLeast: number } | { atMost: number };

/** Medians of three rounds differ by so much on a quiet machine when nothing has changed. */
const NOT_SLOWER: Bound = { atLeast: 0.95 };

const GOALS: readonly Goal[] = [
  { workload: 'W2', against: 'floor', figure: 'throughput', wanted: { atLeast: 1.2 } },
  { workload: 'W2', against: 'floor', figure: 'cpu', wanted: { atMost: 0.9 } },
  { workload: 'W3', against: 'floor', figure: 'throughput', wanted: { atLeast: 1.3 } },
  { workload: 'W2', against: 'cold', figure: 'throughput', wanted: { atLeast: 1.4 } },
  { workload: 'W3', against: 'cold', figure: 'throughput', wanted: { atLeast: 1.6 } },
  { workload: 'W2', against: 'cold', figure: 'idleLatencyP50', wanted: { atMost: 0.5 } },
  { workload: 'W3', against: 'cold', figure: 'idleLatencyP50', wanted: { atMost: 0.4 } },
  ...['W1', 'W4', 'W5', 'W6'].map((workload): Goal => ({
    workload,
    against: 'cold',
    figure: 'throughput',
    wanted: NOT_SLOWER,
  })),
];

const SHOWN: readonly Other[] = ['cold', 'floor', 'ceiling'];
const FIGURES = { throughput: 'throughput', cpu: 'total CPU', idleLatencyP50: 'idle p50' } as const;

/** Markdown: the host against each other contender of interest, by workload. */
export function ratioTable(comparisons: Comparisons): string {
  const rows = Object.entries(comparisons).flatMap(([workload, comparison]) =>
    SHOWN.map((other) => ratioRow(workload, comparison, other)),
  );
  return [
    '| 16 callers | host / | throughput | total CPU | idle p50 | events | workflow tasks |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function ratioRow(workload: string, comparison: Comparison, other: Other): string {
  const { throughput, cpu, idleLatencyP50 } = comparison[ratioTo[other]];
  const counted = (what: 'events' | 'workflowTasks') =>
    `${comparison.host.history[what]} / ${comparison[other].history[what]}`;
  return `| ${workload} | ${other} | ${throughput} | ${cpu} | ${idleLatencyP50} | ${counted('events')} | ${counted('workflowTasks')} |`;
}

/** Markdown: each goal of the workloads that were measured, and whether it was reached. */
export function goalTable(comparisons: Comparisons): string {
  const rows = GOALS.flatMap((goal) => {
    const comparison = comparisons[goal.workload];
    return comparison ? [goalRow(goal, comparison)] : [];
  });
  return ['| goal | wanted | reached | |', '|---|---|---|---|', ...rows].join('\n');
}

function goalRow({ workload, against, figure, wanted }: Goal, comparison: Comparison): string {
  const reached = comparison[ratioTo[against]][figure];
  return `| ${workload} host / ${against}, ${FIGURES[figure]} | ${inWords(wanted)} | ${reached} | ${isWithin(reached, wanted) ? 'yes' : 'no'} |`;
}

function inWords(bound: Bound): string {
  return 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
}

function isWithin(value: number, bound: Bound): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}
