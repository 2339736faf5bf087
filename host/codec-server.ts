/**
 * Decrypts payloads for the Temporal UI: `POST /decode` and `/encode`, the protocol of the UI's "remote codec
 * endpoint". Access to the payloads of all projects is access to everything, so it requires a system admin.
 */
import type { PayloadCodec } from '@temporalio/common';
import protocol from '@temporalio/proto';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { z } from 'zod';
import type { Authenticator } from '../api/access/authenticator.js';
import { codecLimits } from '../api/listener/limits.js';
import type { ListenerOptions } from '../api/listener/listener.js';
import { openHttpServer, type HttpServer } from './http-server.js';

export interface CodecServerOptions {
  /** In encoding order. */
  codecs: readonly PayloadCodec[];
  authenticator: Authenticator;
  /** Origins of the Temporal UI. */
  origins: readonly string[];
}

export type CodecServer = HttpServer;

/** The largest message of Temporal, in base64. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

const base64 = z.base64();
const body = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
    .max(10_000),
});
const { Payloads } = protocol.temporal.api.common.v1;

/** @throws when the port is in use */
export async function openCodecServer(options: CodecServerOptions, listening: ListenerOptions): Promise<CodecServer> {
  const { codecs, origins } = options;
  const app = new Hono()
    .use(
      cors({
        origin: [...origins],
        allowMethods: ['POST'],
        allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
        maxAge: 600,
      }),
    )
    .use(bodyLimit({ maxSize: MAX_BODY_BYTES }))
    .post(
      '/decode',
      async (context) =>
        (await refusal(context, options)) ??
        convert(
          context,
          codecs.toReversed().map((codec) => (payloads) => codec.decode(payloads)),
        ),
    )
    .post(
      '/encode',
      async (context) =>
        (await refusal(context, options)) ??
        convert(
          context,
          codecs.map((codec) => (payloads) => codec.encode(payloads)),
        ),
    )
    .notFound((context) => context.json({ error: 'Not found' }, 404));
  return openHttpServer(app, { limits: codecLimits, ...listening });
}

/** Undefined for a system admin. */
async function refusal(context: Context, { authenticator }: CodecServerOptions): Promise<Response | undefined> {
  const proof = await authenticator.authenticate(context.req.header('Authorization') ?? '');
  if (proof.kind === 'unavailable')
    return context.json({ error: 'Temporarily unavailable' }, 503, { 'Retry-After': '5' });
  if (proof.kind === 'refused')
    return context.json({ error: 'A valid access token is required' }, 401, { 'WWW-Authenticate': 'Bearer' });
  return proof.caller.systemAdmin ? undefined : context.json({ error: 'Not found' }, 404);
}

type Convert = (
  payloads: protocol.temporal.api.common.v1.IPayload[],
) => Promise<protocol.temporal.api.common.v1.IPayload[]>;

async function convert(context: Context, how: readonly Convert[]): Promise<Response> {
  const given = body.safeParse(await context.req.json().catch(() => undefined));
  if (!given.success)
    return context.json(
      { error: 'The body must be {"payloads": [{"metadata": {...}, "data": "..."}]} with base64 values' },
      400,
    );
  try {
    let { payloads }: { payloads: Parameters<Convert>[0] } = Payloads.fromObject(given.data);
    for (const step of how) payloads = await step(payloads);
    return context.json(Payloads.toObject(Payloads.create({ payloads }), { bytes: String, arrays: true }));
  } catch (error) {
    return context.json({ error: (error as Error).message }, 422);
  }
}
