import { expect, it } from 'vitest';
import { problemFromException } from '../../../api/http/failures.js';

it.each(['08006', '40P01', '53300', '55P03', '57014'])(
  'an error of Postgres that passes (%s) is answered as unavailable for now',
  (code) => {
    expect(problemFromException(Object.assign(new Error('from Postgres'), { code }))).toMatchObject({
      code: 'UNAVAILABLE',
    });
  },
);

it.each(['22021', '23505', '55000'])(
  'an error of Postgres that does not pass (%s) is answered as an internal one',
  (code) => {
    expect(problemFromException(Object.assign(new Error('from Postgres'), { code }))).toMatchObject({
      code: 'INTERNAL_ERROR',
    });
  },
);
