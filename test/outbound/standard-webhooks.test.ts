import { expect, it } from 'vitest';
import { signatureOf } from '../../outbound/standard-webhooks.js';

it('signs as the libraries of Standard Webhooks do', () => {
  // The example of their documentation.
  const signature = signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: Buffer.from('{"test": 2432232314}'),
  });
  expect(signature).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

it('takes a secret without the prefix as the key itself', () => {
  const message = { id: '7', timestamp: 1, body: Buffer.from('{}') };
  const inBase64 = `whsec_${Buffer.from('a plain key').toString('base64')}`;
  expect(signatureOf('a plain key', message)).toBe(signatureOf(inBase64, message));
});
