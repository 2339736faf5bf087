import { expect, it } from 'vitest';
import { keyOf, signatureOf } from '../../outbound/standard-webhooks.js';

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it.each([KEY, `whsec_${KEY}`])('signs with %s as the libraries of Standard Webhooks do', (secret) => {
  // The example of their documentation.
  const signature = signatureOf(keyOf(secret)!, {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: Buffer.from('{"test": 2432232314}'),
  });
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

it.each(['', 'whsec_', 'a plain key', 'whsec_MTIzNDU2Nzg5MDEyMzQ1', 'a plain text that is long enough'])(
  'refuses %j, which is not a key of 16 bytes in base64',
  (secret) => {
    expect(keyOf(secret)).toBeUndefined();
  },
);
