/** A collector on loopback: takes spans by OTLP over HTTP, as protobuf. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  name: string;
  traceID: string;
  spanID: string;
  parentSpanID: string;
  attributes: { [name: string]: string | number | bigint };
}

export interface Collector {
  url: string;
  readonly spans: CollectedSpan[];
  /** Of the service that sent the last spans. */
  readonly resource: { [name: string]: string | number | bigint };
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const resource = {};
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      for (const resourceSpans of messages(fields(body), 1)) {
        Object.assign(resource, ...messages(resourceSpans, 1).map((one) => attributesOf(one, 1)));
        for (const scopeSpans of messages(resourceSpans, 2)) spans.push(...messages(scopeSpans, 2).map(toSpan));
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resource,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Of a protobuf message: numbers and contents of its fields. */
type Fields = { number: number; value: Buffer | bigint }[];

/** Fields of `opentelemetry.proto.trace.v1.Span`. */
function toSpan(span: Fields): CollectedSpan {
  const bytes = (number: number) => (span.find((field) => field.number === number)?.value ?? Buffer.alloc(0)) as Buffer;
  return {
    traceID: bytes(1).toString('hex'),
    spanID: bytes(2).toString('hex'),
    parentSpanID: bytes(4).toString('hex'),
    name: bytes(5).toString(),
    attributes: attributesOf(span, 9),
  };
}

function attributesOf(message: Fields, number: number): CollectedSpan['attributes'] {
  return Object.fromEntries(
    messages(message, number).map((attribute) => {
      const [value] = messages(attribute, 2)[0] ?? [];
      return [textOf(attribute, 1), Buffer.isBuffer(value?.value) ? value.value.toString() : Number(value?.value ?? 0)];
    }),
  );
}

function textOf(message: Fields, number: number): string {
  return String(message.find((field) => field.number === number)?.value);
}

function messages(message: Fields, number: number): Fields[] {
  return message
    .filter((field) => field.number === number && Buffer.isBuffer(field.value))
    .map(({ value }) => fields(value as Buffer));
}

function fields(message: Buffer): Fields {
  const found: Fields = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    if (type === 0) found.push({ number, value: varint() });
    else {
      const length = type === 1 ? 8 : type === 5 ? 4 : Number(varint());
      found.push({ number, value: message.subarray(at, at + length) });
      at += length;
    }
  }
  return found;
}
