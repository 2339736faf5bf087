import { expect, test, vi } from 'vitest';
import { readConfig } from '../../../host/configuration/config.js';
import { sections } from '../../../host/configuration/sections.js';
import { formerNames, withCurrentNames } from '@perdure/configuration/former-names.js';

const enough = {
  DATABASE_URL: 'postgres://localhost/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  PERDURE_ROLES: 'worker',
};

test('a variable under its former name is read, with a warning that names both', () => {
  const warn = vi.fn();
  expect(readConfig({ ...enough, WORKER_CACHED_INSTANCES: '500' }, warn).cachedInstances).toBe(500);
  expect(warn.mock.calls).toEqual([
    ['WORKER_CACHED_INSTANCES is deprecated. Set WORKER_MAX_CACHED_INSTANCES instead.'],
  ]);
});

test('a variable that is set under both names has the value of its current name', () => {
  const environment = withCurrentNames(
    { OIDC_ADMIN_CLIENT_SECRET: 'current', ISSUER_ADMINISTRATION_SECRET: 'former' },
    sections,
    () => {},
  );
  expect(environment['OIDC_ADMIN_CLIENT_SECRET']).toBe('current');
});

test('no former name is set, so nothing is warned of and nothing changes', () => {
  const warn = vi.fn();
  expect(withCurrentNames({ ...enough, SIMULTANEOUS_SEARCHES: '' }, sections, warn)).toEqual({
    ...enough,
    SIMULTANEOUS_SEARCHES: '',
  });
  expect(warn).not.toHaveBeenCalled();
});

test('every former name leads to a variable, and no current name is also a former one', () => {
  const names = sections.flatMap(({ variables }) => Object.keys(variables));
  const former = formerNames(sections);
  expect(former.map(([name]) => name).toSorted()).toEqual([
    'ISSUER_ADMINISTRATION_CLIENT_ID',
    'ISSUER_ADMINISTRATION_SECRET',
    'ISSUER_ADMINISTRATION_URL',
    'SIMULTANEOUS_SEARCHES',
    'WORKER_CACHED_INSTANCES',
  ]);
  expect(former.filter(([name]) => names.includes(name))).toEqual([]);
});

test('no variable is in two sections', () => {
  const names = sections.flatMap(({ variables }) => Object.keys(variables));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});
