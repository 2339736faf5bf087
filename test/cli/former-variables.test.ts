import { expect, test, vi } from 'vitest';
import { withCurrentNames } from '../../packages/cli/access/former-variables.js';

const former = { TOKEN_ENDPOINT: 'https://login.example/token', CLIENT_ID: 'deployer', CLIENT_SECRET: 'a-secret' };

test('credentials under their former names are used, with a warning', () => {
  const warn = vi.fn();
  expect(withCurrentNames(former, warn)).toMatchObject({
    PERDURE_TOKEN_ENDPOINT: 'https://login.example/token',
    PERDURE_CLIENT_ID: 'deployer',
    PERDURE_CLIENT_SECRET: 'a-secret',
  });
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]![0]).not.toContain('a-secret');
});

test.each([{ PERDURE_TOKEN: 'token' }, { PERDURE_CLIENT_ID: 'other' }])(
  'former names are not mixed with %s',
  (current) => {
    const warn = vi.fn();
    expect(withCurrentNames({ ...former, ...current }, warn)).toEqual({ ...former, ...current });
    expect(warn).not.toHaveBeenCalled();
  },
);

test('an incomplete set under the former names is not used', () => {
  expect(withCurrentNames({ CLIENT_ID: 'of something else' }, () => {})).toEqual({ CLIENT_ID: 'of something else' });
});
