import { describe, expect, it } from 'vitest';
import { labelFlows, measureNodes, sayChange, sayRange } from '../../console/features/statistics/measure.js';
import type { NodeStatistics, ProcessStatistics } from '../../console/features/statistics/types.js';

const node = (nodeID: string, started: number, p95Ms?: number): NodeStatistics => ({
  nodeID,
  nodeType: 'serviceTask',
  started,
  completed: started,
  failed: 0,
  canceled: 0,
  incidents: 0,
  ...(p95Ms !== undefined && { p95Ms }),
});

/** Statistics of a version with as many started instances. */
const statistics = (started: number, nodes: NodeStatistics[], rest: Partial<ProcessStatistics> = {}) =>
  ({
    processID: 'order',
    since: '2026-05-01T00:00:00Z',
    until: '2026-05-02T00:00:00Z',
    step: 'day',
    asOf: '2026-05-02T00:00:00Z',
    series: [{ time: '2026-05-01T00:00:00Z', started, completed: 0, canceled: 0, failed: 0, incidents: 0 }],
    nodes,
    flows: [],
    targets: [],
    ...rest,
  }) satisfies ProcessStatistics;

describe('the marks of nodes by their statistics', () => {
  it('say how often a node was entered, the hottest being the most frequent', () => {
    const { marks, scale } = measureNodes('count', statistics(1, [node('a', 40_000), node('b', 5)]), undefined);
    expect(marks.get('a')).toMatchObject({ heat: 4, label: { text: '40K', title: 'Entered 40,000 times' } });
    expect(marks.get('b')).toMatchObject({ heat: 1, label: { text: '5' } });
    expect(scale.map((range) => sayRange('count', range))).toEqual([
      '1–10,000',
      '10,001–20,000',
      '20,001–30,000',
      '30,001–40,000',
    ]);
  });

  it('say how often a sequence flow was taken', () => {
    const taken = statistics(1, [node('a', 1)], { flows: [{ flowID: 'to-a', taken: 12_345 }] });
    expect([...labelFlows(taken)]).toEqual([['to-a', { text: '12.3K', title: 'Taken 12,345 times' }]]);
  });

  it('say how long a node takes, and nothing for a node that never completed', () => {
    const { marks } = measureNodes('time', statistics(1, [node('a', 2, 90_000), node('b', 2)]), undefined);
    expect(marks.get('a')).toMatchObject({ label: { text: '1 min 30 s', title: 'p95: 1 min 30 s' } });
    expect(marks.has('b')).toBe(false);
  });

  it('mark nodes with missed targets in the view of durations only', () => {
    const late = statistics(1, [node('a', 2, 90_000)], {
      targets: [
        { nodeID: 'a', duration: 'PT1M', met: 1, missed: 1 },
        { nodeID: 'a', duration: 'PT30S', met: 0, missed: 2 },
        { duration: 'PT1H', met: 0, missed: 3 },
      ],
    });
    expect(measureNodes('time', late, undefined).marks.get('a')?.late).toBe(3);
    expect(measureNodes('count', late, undefined).marks.get('a')?.late).toBeUndefined();
  });

  it('compare durations with those of another version, and color changes that are larger than the error', () => {
    const now = statistics(1, [node('slower', 1, 200), node('faster', 1, 50), node('same', 1, 104), node('new', 1, 9)]);
    const before = statistics(1, [node('slower', 1, 100), node('faster', 1, 100), node('same', 1, 100)]);
    const { marks } = measureNodes('time', now, before);
    expect(marks.get('slower')?.label).toMatchObject({ text: '+100 %', tone: 'worse' });
    expect(marks.get('faster')?.label).toMatchObject({ text: '−50 %', tone: 'better' });
    expect(marks.get('same')?.label).toMatchObject({ text: '+4 %', tone: 'plain' });
    expect(marks.get('new')?.label).toMatchObject({ text: '9 ms', tone: 'plain' });
  });

  it('compare counts per started instance, without judging them', () => {
    const now = statistics(10, [node('retry', 20)]);
    const before = statistics(1_000, [node('retry', 1_000)]);
    expect(measureNodes('count', now, before).marks.get('retry')?.label).toMatchObject({
      text: '+100 %',
      tone: 'plain',
    });
  });

  it('show no change to a version that started nothing', () => {
    const { marks } = measureNodes('count', statistics(1, [node('a', 1)]), statistics(0, [node('a', 1)]));
    expect(marks.get('a')?.label).toMatchObject({ text: '1' });
    expect(sayChange(0.001)).toBe('±0 %');
  });
});
