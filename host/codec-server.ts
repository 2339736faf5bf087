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
import { createClientAddresses } from '../api/http/request/client-address.js';
import { securityHeaders } from '../api/http/request/headers.js';
import { codecLimits } from '../api/listener/limits.js';
import type { ListenerOptions } from '../api/listener/listener.js';
import { CodecAccess, type CodecAccessOptions, type CodecRequest } from './codec-access.js';
import { openHttpServer, type HttpServer } from './http-server.js';

export interface CodecServerOptions extends CodecAccessOptions {
  /** In encoding order. */
  codecs: readonly PayloadCodec[];
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
/** Metadata of an encrypted payload. */
const KEY_ID = 'encryption-key-id';
const { Payloads } = protocol.temporal.api.common.v1;

/** Passed along by the Node server. */
interface Bindings {
  incoming: { socket: { remoteAddress?: string } };
}

/** @throws when the port is in use */
export async function openCodecServer(options: CodecServerOptions, listening: ListenerOptions): Promise<CodecServer> {
  const { codecs, origins } = options;
  const access = new CodecAccess(options);
  const addresses = createClientAddresses(listening.trustedProxies ?? []);
  const decode: Convert[] = codecs.toReversed().map((codec) => (payloads) => codec.decode(payloads));
  const encode: Convert[] = codecs.map((codec) => (payloads) => codec.encode(payloads));
  const handle = async (context: Context, operation: CodecRequest['operation'], steps: readonly Convert[]) => {
    const { incoming } = context.env as Bindings;
    const entered = await access.enter({
      operation,
      authorization: context.req.header('Authorization') ?? '',
      namespace: context.req.header('X-Namespace'),
      clientAddress: addresses.find(incoming.socket.remoteAddress ?? '', context.req.header('X-Forwarded-For') ?? null),
    });
    if ('code' in entered) return context.json({ error: entered.error }, entered.status, { ...entered.headers });
    const given = body.safeParse(await context.req.json().catch(() => undefined));
    const converted = given.success ? await convert(given.data, steps) : malformed;
    entered.record({ status: converted.status, ...measured(given.data?.payloads ?? []) });
    return context.json(converted.json, converted.status);
  };
  const app = new Hono()
    .use(async (context, next) => {
      await next();
      for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
    })
    .use(
      cors({
        origin: [...origins],
        allowMethods: ['POST'],
        allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
        maxAge: 600,
      }),
    )
    .use(bodyLimit({ maxSize: MAX_BODY_BYTES }))
    .post('/decode', (context) => handle(context, 'DecodePayloads', decode))
    .post('/encode', (context) => handle(context, 'EncodePayloads', encode))
    .notFound((context) => context.json({ error: 'Not found' }, 404));
  return openHttpServer(app, { limits: codecLimits, ...listening });
}

type Payload = protocol.temporal.api.common.v1.IPayload;
type Convert = (payloads: Payload[]) => Promise<Payload[]>;
type Given = z.output<typeof body>;

const malformed = {
  status: 400,
  json: { error: 'The body must be {"payloads": [{"metadata": {...}, "data": "..."}]} with base64 values' },
} as const;

async function convert(given: Given, steps: readonly Convert[]) {
  try {
    let { payloads }: { payloads: Payload[] } = Payloads.fromObject(given);
    for (const step of steps) payloads = await step(payloads);
    const json: object = Payloads.toObject(Payloads.create({ payloads }), { bytes: String, arrays: true });
    return { status: 200, json } as const;
  } catch (error) {
    return { status: 422, json: { error: (error as Error).message } } as const;
  }
}

/** Numbers and ids for the log, which never has a payload. */
function measured(payloads: Given['payloads']) {
  const keyIDs = payloads.flatMap(({ metadata }) => metadata?.[KEY_ID] ?? []);
  return {
    payloads: payloads.length,
    bytes: payloads.reduce((sum, { data = '' }) => sum + Buffer.byteLength(data, 'base64'), 0),
    keyIDs: [...new Set(keyIDs)].map((id) => Buffer.from(id, 'base64').toString()),
  };
}
