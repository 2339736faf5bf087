import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { expect, it } from 'vitest';
import { EncryptionCodec } from '../../../temporal/codec.js';
import { readKeyRing } from '../../../temporal/key-ring.js';

const key = () => randomBytes(32).toString('base64');
const [first, second] = [`first=${key()}`, `second=${key()}`];
const codec = (keys: string) => new EncryptionCodec(readKeyRing(keys)!);
const payload = defaultPayloadConverter.toPayload({ total: 120, secret: 'kept secret' }) as Payload;

it('an encrypted payload can be read with the key, and says nothing without it', async () => {
  const [encrypted] = await codec(first).encode([payload]);
  expect(Buffer.from(encrypted!.data!).toString('latin1')).not.toContain('told');
  expect(
    Object.fromEntries(
      Object.entries(encrypted!.metadata!).map(([name, value]) => [name, Buffer.from(value).toString()]),
    ),
  ).toEqual({
    encoding: 'binary/encrypted',
    'encryption-cipher': 'aes-256-gcm',
    'encryption-key-id': 'first',
  });
  const [decrypted] = await codec(first).decode([encrypted!]);
  expect(defaultPayloadConverter.fromPayload(decrypted!)).toEqual({ total: 120, secret: 'kept secret' });
});

it('the same value never looks the same twice', async () => {
  const [one, other] = await codec(first).encode([payload, payload]);
  expect(Buffer.from(one!.data!)).not.toEqual(Buffer.from(other!.data!));
});

it('a new key encrypts, and the old one still decrypts', async () => {
  const [old] = await codec(first).encode([payload]);
  const rotated = codec(`${second},${first}`);
  expect(defaultPayloadConverter.fromPayload((await rotated.decode([old!]))[0]!)).toMatchObject({ total: 120 });
  const [fresh] = await rotated.encode([payload]);
  await expect(codec(first).decode([fresh!])).rejects.toThrow(
    'key "second" is not configured (configured: first). Append it to TEMPORAL_PAYLOAD_KEYS, after the current key.',
  );
});

it('a payload from before the encryption is read as it is', async () => {
  expect(await codec(first).decode([payload])).toEqual([payload]);
});

it.each([
  ['its content', (data: Buffer) => void (data[data.length - 1]! ^= 1)],
  ['its nonce', (data: Buffer) => void (data[0]! ^= 1)],
  ['its tag', (data: Buffer) => void (data[12]! ^= 1)],
])('a payload is refused after a change of %s', async (_what, change) => {
  const [encrypted] = await codec(first).encode([payload]);
  const data = Buffer.from(encrypted!.data!);
  change(data);
  await expect(codec(first).decode([{ ...encrypted, data }])).rejects.toThrow(/authenticate/);
});

it('a payload cannot be passed off as one of another key', async () => {
  const shared = key();
  const [encrypted] = await codec(`one=${shared}`).encode([payload]);
  const renamed = { ...encrypted, metadata: { ...encrypted!.metadata, 'encryption-key-id': Buffer.from('other') } };
  await expect(codec(`other=${shared}`).decode([renamed])).rejects.toThrow(/authenticate/);
});

it.each([
  '',
  'first',
  'first=',
  `first=${randomBytes(16).toString('base64')}`,
  `first=${randomBytes(33).toString('base64')}`,
  `${first},${first}`,
  `a b=${key()}`,
  `=${key()}`,
])('%j is not a list of keys', (text) => {
  expect(readKeyRing(text)).toBeUndefined();
});

it('keys may be on separate lines', () => {
  expect(readKeyRing(`${first}\n${second}\n`)?.keys.size).toBe(2);
});
