/**
 * A connection pooler in front of Postgres, as small as one can be. In transaction mode a client has a connection of
 * Postgres from the beginning of a transaction to its end, in session mode until it leaves. As in PgBouncer, the
 * connection that was used last is given first, and what a connection without a client receives is dropped.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

export interface Pooler {
  /** Of the same database. */
  url: string;
  close(): Promise<void>;
}

export interface PoolerOptions {
  mode: 'session' | 'transaction';
  /** Connections to Postgres. */
  size: number;
  /** Whether settings that a client gives when it connects reach Postgres; the others are the database's own. */
  passesSettings?: boolean;
}

/** A connection to Postgres after its sign-in, and the client that has it. */
interface Connection {
  socket: Socket;
  client: Socket | undefined;
  /** Messages of the client that will be answered with ReadyForQuery. */
  pending: number;
  /** Whether the statement that ends the sign-in runs, whose only answer for the client is ReadyForQuery. */
  isSigningIn: boolean;
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

export async function startPooler(databaseUrl: string, options: PoolerOptions): Promise<Pooler> {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const clients = new Set<Socket>();
  const all: Connection[] = [];
  const release = (connection: Connection) => {
    connection.client = undefined;
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };
  for (let count = 0; count < options.size; count += 1) {
    const connection = await connect(databaseUrl, (type, message) => {
      const { client } = connection;
      if (!client) return;
      if (type === READY_FOR_QUERY || !connection.isSigningIn) client.write(message);
      if (type !== READY_FOR_QUERY) return;
      connection.isSigningIn = false;
      connection.pending -= 1;
      if (options.mode === 'transaction' && connection.pending === 0 && message[5] === IDLE) release(connection);
    });
    all.push(connection);
    idle.push(connection);
  }

  const server = createServer((client) => {
    clients.add(client);
    let connection: Connection | undefined;
    let queue: Buffer[] = [];
    let asked = false;
    let isSignedIn = false;
    const flush = (given: Connection) => {
      asked = false;
      given.client = client;
      connection = given;
      given.isSigningIn = !isSignedIn;
      isSignedIn = true;
      for (const message of queue) {
        if (message[0] === SYNC || message[0] === QUERY) given.pending += 1;
        given.socket.write(message);
      }
      queue = [];
    };
    const onMessage = (type: number, message: Buffer) => {
      if (type === TERMINATE) return;
      queue.push(message);
      if (connection?.client === client) return flush(connection);
      if (asked) return;
      const free = idle.pop();
      if (free) return flush(free);
      asked = true;
      waiting.push(flush);
    };
    client.on(
      'data',
      framed(onMessage, (startup) => signIn(client, startup, options.passesSettings ?? true, onMessage)),
    );
    client.on('error', () => undefined);
    client.on('close', () => {
      clients.delete(client);
      if (connection?.client === client) release(connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const client of clients) client.destroy();
      for (const { socket } of all) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Signs in with the driver, then takes over its socket. */
async function connect(databaseUrl: string, onMessage: (type: number, message: Buffer) => void): Promise<Connection> {
  const driver = new pg.Client({ connectionString: databaseUrl });
  await driver.connect();
  const { stream: socket } = (driver as unknown as { connection: { stream: Socket } }).connection;
  for (const event of ['data', 'error', 'close', 'end']) socket.removeAllListeners(event);
  socket.on('error', () => undefined);
  socket.on('data', framed(onMessage));
  return { socket, client: undefined, pending: 0, isSigningIn: false };
}

/** Answers the startup message. The settings in it become statements, if they are passed on. */
function signIn(
  client: Socket,
  startup: Buffer,
  passesSettings: boolean,
  onMessage: (type: number, message: Buffer) => void,
): void {
  client.write(Buffer.concat([message('R', int32(0)), message('K', int32(0), int32(0))]));
  const parts = startup.subarray(8).toString().split('\0');
  const settings = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length && parts[at] !== ''; at += 2) settings.set(parts[at]!, parts[at + 1]!);
  const passed = [...settings].filter(([name]) => passesSettings && name.endsWith('_timeout'));
  const text = passed.map(([name, value]) => `SET ${name} = ${value}`).join('; ');
  onMessage(QUERY, message('Q', Buffer.from(`${text}\0`)));
}

/** Cuts a stream into messages of the protocol. The first one of a client has no type. */
function framed(
  onMessage: (type: number, message: Buffer) => void,
  onStartup?: (message: Buffer) => void,
): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = onStartup === undefined;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typed = isStarted ? 1 : 0;
      if (rest.length < typed + 4) return;
      const length = typed + rest.readInt32BE(typed);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (isStarted) onMessage(message[0]!, message);
      else {
        isStarted = true;
        onStartup!(message);
      }
    }
  };
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(4 + body.length), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
