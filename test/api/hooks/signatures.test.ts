/** Signatures of deliveries: published examples, and what must not pass. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DeliveredHeaders } from '../../../api/hooks/headers.js';
import { isAuthentic } from '../../../api/hooks/signatures.js';
import type { HookAuth } from '../../../store/hooks/hooks.js';

const SECRET = 'a-secret-of-the-shop';
const FORMER = 'the-secret-before-it';
const BODY = '{"order":7}';
const NOW = 1_760_000_000_000;
const SECONDS = NOW / 1000;

interface Sent {
  secrets?: readonly string[];
  body?: string;
  now?: number;
}

function passes(auth: HookAuth, headers: readonly (readonly [string, string])[], sent: Sent = {}): boolean {
  const delivered = new DeliveredHeaders(headers.flat());
  return isAuthentic(auth, sent.secrets ?? [SECRET], {
    header: (name) => delivered.only(name),
    bytes: Buffer.from(sent.body ?? BODY),
    now: sent.now ?? NOW,
  });
}

const sign = (text: string, encoding: 'hex' | 'base64', secret: string | Buffer = SECRET) =>
  createHmac('sha256', secret).update(text).digest(encoding);

describe('HMAC', () => {
  const github: HookAuth = {
    type: 'HMAC',
    secret: 'GITHUB',
    header: 'X-Hub-Signature-256',
    prefix: 'sha256=',
    encoding: 'hex',
  };
  const shopify: HookAuth = { type: 'HMAC', secret: 'SHOPIFY', header: 'X-Shopify-Hmac-Sha256', encoding: 'base64' };

  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
  it('verifies the example that GitHub publishes', () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const sent = { secrets: ["It's a Secret to Everybody"], body: 'Hello, World!' }; // prose-ok: nobody
    expect(passes(github, [['X-Hub-Signature-256', signature]], sent)).toBe(true);
    expect(passes(github, [['X-Hub-Signature-256', signature]], { ...sent, body: 'Hello, World?' })).toBe(false);
  });

  it('verifies base64 without a prefix, as Shopify sends it', () => {
    expect(passes(shopify, [['x-shopify-hmac-sha256', sign(BODY, 'base64')]])).toBe(true);
    expect(passes(shopify, [['x-shopify-hmac-sha256', sign(BODY, 'hex')]])).toBe(false);
  });

  it('takes the former value of the secret too', () => {
    const signature = `sha256=${sign(BODY, 'hex', FORMER)}`;
    expect(passes(github, [['X-Hub-Signature-256', signature]], { secrets: [SECRET, FORMER] })).toBe(true);
    expect(passes(github, [['X-Hub-Signature-256', signature]])).toBe(false);
  });

  it('takes hexadecimal digits in either case', () => {
    expect(passes(github, [['X-Hub-Signature-256', `sha256=${sign(BODY, 'hex').toUpperCase()}`]])).toBe(true);
  });

  it.each([
    ['no header', []],
    ['an empty header', [['X-Hub-Signature-256', '']]],
    ['the prefix alone', [['X-Hub-Signature-256', 'sha256=']]],
    ['no prefix', [['X-Hub-Signature-256', sign(BODY, 'hex')]]],
    ['a part of the signature', [['X-Hub-Signature-256', `sha256=${sign(BODY, 'hex').slice(0, 40)}`]]],
    ['more than the signature', [['X-Hub-Signature-256', `sha256=${sign(BODY, 'hex')}00`]]],
    ['characters that are not digits', [['X-Hub-Signature-256', `sha256=${'ü'.repeat(64)}`]]],
    [
      'the header twice',
      [
        ['X-Hub-Signature-256', `sha256=${sign(BODY, 'hex')}`],
        ['x-hub-signature-256', `sha256=${sign(BODY, 'hex')}`],
      ],
    ],
  ] as [string, [string, string][]][])('refuses %s', (_, headers) => {
    expect(passes(github, headers)).toBe(false);
  });
});

describe('STRIPE', () => {
  const stripe: HookAuth = { type: 'STRIPE', secret: 'STRIPE' };
  const signed = (t: number | string, ...others: string[]) =>
    [`t=${t}`, `v1=${sign(`${t}.${BODY}`, 'hex')}`, ...others].join(',');

  it.each([
    ['the moment itself', SECONDS],
    ['five minutes ago', SECONDS - 300],
    ['five minutes ahead', SECONDS + 300],
  ])('takes a signature of %s', (_, at) => {
    expect(passes(stripe, [['Stripe-Signature', signed(at)]])).toBe(true);
  });

  it.each([
    ['older than five minutes', signed(SECONDS - 301)],
    ['more than five minutes ahead', signed(SECONDS + 301)],
    ['without a time', `v1=${sign(`.${BODY}`, 'hex')}`],
    ['with a time that is not a number', signed('soon')],
    ['with two times', `t=${SECONDS - 9000},${signed(SECONDS)}`],
    ['of another scheme only', `t=${SECONDS},v0=${sign(`${SECONDS}.${BODY}`, 'hex')}`],
    ['of another time', signed(SECONDS - 1).replace(`t=${SECONDS - 1}`, `t=${SECONDS}`)],
    ['that is empty', ''],
  ])('refuses a signature %s', (_, signature) => {
    expect(passes(stripe, [['Stripe-Signature', signature]])).toBe(false);
  });

  it('takes any of several signatures, as Stripe sends while a secret is replaced', () => {
    const header = `t=${SECONDS},v1=${'0'.repeat(64)},v0=00,v1=${sign(`${SECONDS}.${BODY}`, 'hex')}`;
    expect(passes(stripe, [['Stripe-Signature', header]])).toBe(true);
  });
});

describe('STANDARD', () => {
  const standard: HookAuth = { type: 'STANDARD', secret: 'STANDARD' };
  const key = Buffer.alloc(24, 7);
  const secrets = [`whsec_${key.toString('base64')}`];
  const headers = (id: string, at: number | string, signature: string): [string, string][] => [
    ['webhook-id', id],
    ['webhook-timestamp', String(at)],
    ['webhook-signature', signature],
  ];
  const signature = (id: string, at: number) => `v1,${sign(`${id}.${at}.${BODY}`, 'base64', key)}`;

  // https://docs.svix.com/receiving/verifying-payloads/how-manual
  it('verifies the example that its authors publish', () => {
    const example = headers(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    const sent = {
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      body: '{"test": 2432232314}',
      now: 1614265330_000,
    };
    expect(passes(standard, example, sent)).toBe(true);
    expect(passes(standard, example, { ...sent, now: NOW })).toBe(false);
  });

  it('takes any of several signatures', () => {
    const several = `v1a,abc v1,AAAA ${signature('m', SECONDS)}`;
    expect(passes(standard, headers('m', SECONDS, several), { secrets })).toBe(true);
  });

  it.each(['!!!!!!!!!!!!', 'whsec_', 'whsec_AAAA'])('has no key if the secret is %s', (secret) => {
    for (const weak of ['', Buffer.from(secret.replace('whsec_', ''), 'base64')]) {
      const given = headers('m', SECONDS, `v1,${sign(`m.${SECONDS}.${BODY}`, 'base64', weak)}`);
      expect(passes(standard, given, { secrets: [secret] })).toBe(false);
    }
  });

  it.each([
    ['of another id', headers('n', SECONDS, signature('m', SECONDS))],
    ['of another time', headers('m', SECONDS + 1, signature('m', SECONDS))],
    ['without an id', headers('', SECONDS, signature('', SECONDS))],
    ['older than five minutes', headers('m', SECONDS - 301, signature('m', SECONDS - 301))],
    ['without a version', headers('m', SECONDS, signature('m', SECONDS).slice('v1,'.length))],
  ])('refuses a signature %s', (_, given) => {
    expect(passes(standard, given, { secrets })).toBe(false);
  });
});

describe('HEADER', () => {
  const gitlab: HookAuth = { type: 'HEADER', secret: 'GITLAB', header: 'X-Gitlab-Token' };

  it('takes the secret itself', () => {
    expect(passes(gitlab, [['x-gitlab-token', SECRET]])).toBe(true);
  });

  it('takes a secret beyond ASCII, whose bytes arrive as characters', () => {
    const secret = 'schlüssel-wort';
    const header = Buffer.from(secret).toString('latin1');
    expect(passes(gitlab, [['x-gitlab-token', header]], { secrets: [secret] })).toBe(true);
  });

  it.each([
    ['another text', 'another-secret-of-the'],
    ['the beginning of the secret', SECRET.slice(0, -1)],
    ['more than the secret', `${SECRET} `],
    ['nothing', ''],
  ])('refuses %s', (_, value) => {
    expect(passes(gitlab, [['x-gitlab-token', value]])).toBe(false);
  });
});
