import { describe, expect, it } from 'vitest';
import { MAX_JOBS_AT_ONCE, maxOfProject } from '../../connectors/shares.js';

/** The places in use after many projects with endless hanging tasks have asked in turns, again and again. */
function placesOfHanging(projects: number): number[] {
  const used = Array.from({ length: projects }, () => 0);
  const all = () => used.reduce((sum, places) => sum + places, 0);
  for (let round = 0; round < 100; round += 1)
    used.forEach((own, project) => {
      const most = maxOfProject(all() - own);
      used[project] = own + Math.max(0, Math.min(MAX_JOBS_AT_ONCE - all(), most - own));
    });
  return used;
}

describe('the places of a connector', () => {
  it('give a project a quarter if no other one has any', () => {
    expect(placesOfHanging(1)).toEqual([16]);
  });

  it.each([2, 4, 8, 14])(
    'are left in part for another project while %i projects call services that hang',
    (projects) => {
      const used = placesOfHanging(projects);
      expect(Math.min(...used)).toBeGreaterThanOrEqual(1);
      expect(MAX_JOBS_AT_ONCE - used.reduce((sum, places) => sum + places)).toBeGreaterThan(0);
    },
  );
});
