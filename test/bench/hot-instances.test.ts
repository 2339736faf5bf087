import { expect, test } from 'vitest';
import type { Comparison, Figures, Ratio } from '../../bench/comparison.js';
import { goalTable, ratioTable } from '../../bench/hot-instances.js';

function figures(events: number, workflowTasks: number): Figures {
  return {
    throughput: { 16: 50 },
    cpuMs: { node: 10, postgres: 2, temporal: 8 },
    idleLatency: { p50Ms: 20, p95Ms: 30 },
    history: { events, workflowTasks, bytes: 1 },
  };
}

function ratio(changes: Partial<Ratio> = {}): Ratio {
  return { throughput: 1, nodeCpu: 1, cpu: 1, events: 1, workflowTasks: 1, idleLatencyP50: 1, ...changes };
}

function comparison(changes: Partial<Comparison> = {}): Comparison {
  return {
    host: figures(7, 1),
    cold: figures(11, 2),
    twin: figures(11, 2),
    floor: figures(11, 2),
    ceiling: figures(7, 1),
    hostToCold: ratio(),
    hostToTwin: ratio(),
    hostToFloor: ratio(),
    hostToCeiling: ratio(),
    ...changes,
  };
}

test('the table names the ratios to each contender of interest and the counted events and workflow tasks', () => {
  const table = ratioTable({
    W2: comparison({ hostToFloor: ratio({ throughput: 1.25, cpu: 0.85, idleLatencyP50: 0.6 }) }),
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| W2 | cold | 1 | 1 | 1 | 7 / 11 | 1 / 2 |',
    '| W2 | floor | 1.25 | 0.85 | 0.6 | 7 / 11 | 1 / 2 |',
    '| W2 | ceiling | 1 | 1 | 1 | 7 / 7 | 1 / 1 |',
  ]);
});

test('a goal is reached at its bound and missed beyond it', () => {
  const table = goalTable({
    W2: comparison({
      hostToFloor: ratio({ throughput: 1.2, cpu: 0.91 }),
      hostToCold: ratio({ throughput: 1.39, idleLatencyP50: 0.5 }),
    }),
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| W2 host / floor, throughput | at least 1.2 | 1.2 | yes |',
    '| W2 host / floor, total CPU | at most 0.9 | 0.91 | no |',
    '| W2 host / cold, throughput | at least 1.4 | 1.39 | no |',
    '| W2 host / cold, idle p50 | at most 0.5 | 0.5 | yes |',
  ]);
});

test('a workload without waits is only not to become slower', () => {
  expect(goalTable({ W1: comparison({ hostToCold: ratio({ throughput: 0.94 }) }) })).toContain(
    '| W1 host / cold, throughput | at least 0.95 | 0.94 | no |',
  );
});
