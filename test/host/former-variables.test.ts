import { expect, test, vi } from 'vitest';
import { readConfig } from '../../host/config.js';
import { withCurrentNames } from '../../host/former-variables.js';

const enough = {
  DATABASE_URL: 'postgres://localhost/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  PERDURE_ROLES: 'worker',
};

test('a variable under its former name is read, with a warning that names both', () => {
  const warn = vi.fn();
  expect(readConfig(withCurrentNames({ ...enough, WORKER_CACHED_INSTANCES: '500' }, warn)).cachedInstances).toBe(500);
  expect(warn.mock.calls).toEqual([
    ['WORKER_CACHED_INSTANCES is deprecated. Set WORKER_MAX_CACHED_INSTANCES instead.'],
  ]);
});

test('a variable that is set under both names has the value of its current name', () => {
  const environment = withCurrentNames(
    { OIDC_ADMIN_CLIENT_SECRET: 'current', ISSUER_ADMINISTRATION_SECRET: 'former' },
    () => {},
  );
  expect(environment['OIDC_ADMIN_CLIENT_SECRET']).toBe('current');
});

test('no former name is set, so nothing is warned of and nothing changes', () => {
  const warn = vi.fn();
  expect(withCurrentNames({ ...enough, SIMULTANEOUS_SEARCHES: '' }, warn)).toEqual({
    ...enough,
    SIMULTANEOUS_SEARCHES: '',
  });
  expect(warn).not.toHaveBeenCalled();
});
