import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filterOf, jsonFilters, meaningful, queryFilters } from '../../api/commands/list-filters.js';
import { instanceFilters } from '../../store/instances/filters.js';
import { incidentFilters } from '../../store/work/incidents/filters.js';
import { jobFilters } from '../../store/work/job-lists.js';

describe('the filters of a list', () => {
  const query = z.strictObject(queryFilters(instanceFilters));
  const json = jsonFilters(instanceFilters);

  it('have commas in a query and lists in JSON, with the same meaning', () => {
    const given = { status: 'FAILED,CANCELED', root: 'true', createdBefore: '2026-01-01T01:00:00+01:00' };
    const filter = { status: ['FAILED', 'CANCELED'], root: true, createdBefore: '2026-01-01T00:00:00.000Z' };
    expect(filterOf(instanceFilters, query.parse(given))).toEqual(filter);
    expect(json.parse({ ...filter, createdBefore: given.createdBefore })).toEqual(filter);
  });

  it.each<Record<string, unknown>>([
    { status: 'FAILED,' },
    { status: 'failed' },
    { status: Array.from({ length: 21 }, () => 'FAILED').join(',') },
    { failureReasonContains: 'ab' },
    { failureReasonContains: 'x'.repeat(101) },
    { businessIdPrefix: '' },
    { workflowIDPrefix: '0af' },
    { workflowIDPrefix: 'test-' },
    { workflowIDPrefix: '0AF3' },
    { workflowIDPrefix: 'order' },
    { createdBefore: 'yesterday' },
    { root: 'yes' },
    { definitionID: 'x' },
    { unknown: 'x' },
  ])('refuse %j in a query', (given) => {
    expect(query.safeParse(given).success).toBe(false);
  });

  it.each<Record<string, unknown>>([
    { status: 'FAILED' },
    { status: [] },
    { status: ['NEW'] },
    { root: 'true' },
    { page: 1 },
    { sort: 'createdAt' },
  ])('refuse %j in JSON', (given) => {
    expect(json.safeParse(given).success).toBe(false);
  });

  it('refuse one that means nothing without another', () => {
    const incidents = meaningful(incidentFilters, z.strictObject(queryFilters(incidentFilters)));
    expect(incidents.safeParse({ includeChildren: 'true' }).error?.issues).toMatchObject([
      { path: ['includeChildren'], message: 'needs workflowID' },
    ]);
    expect(incidents.safeParse({ includeChildren: 'true', workflowID: 'w' }).success).toBe(true);
    expect(jsonFilters(incidentFilters).safeParse({ includeChildren: true }).success).toBe(false);
  });

  it('find a task type that contains a comma', () => {
    const jobs = z.strictObject(queryFilters(jobFilters));
    expect(filterOf(jobFilters, jobs.parse({ taskType: 'a,b' })).taskType).toEqual(['a,b', 'a', 'b']);
    expect(jobs.safeParse({ taskType: 'a,'.repeat(20) + 'a' }).success).toBe(false);
  });
});
