import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkEgress, type Resolve } from '../../outbound/egress/check.js';
import { createEgress } from '../../outbound/egress/egress.js';
import { parseEgressEntry, type EgressEntry } from '../../outbound/egress/entry.js';

const allow = (...texts: string[]): EgressEntry[] =>
  texts.map((text) => {
    const entry = parseEgressEntry(text);
    if (!entry) throw new Error(`${text} is not an entry`);
    return entry;
  });
const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
/** Of a check that has time. */
const never = new AbortController().signal;
const publicly = resolveTo('93.184.216.34');

describe('the allow-list', () => {
  it.each([
    ['an exact host', 'api.example.com', 'https://api.example.com/v1'],
    ['another case', 'API.example.com', 'https://api.EXAMPLE.com/'],
    ['the default port, written out', 'api.example.com:443', 'https://api.example.com/'],
    ['another port', 'api.example.com:8443', 'https://api.example.com:8443/'],
    ['a subdomain', '*.example.com', 'https://a.b.example.com/'],
    ['plain HTTP', 'http://api.example.com', 'http://api.example.com/'],
    ['an international name in its encoded form', 'xn--bcher-kva.example', 'https://bücher.example/'],
  ])('permits %s', async (_name, entry, url) => {
    await expect(checkEgress(allow(entry), url, never, publicly)).resolves.toMatchObject({
      addresses: [{ address: '93.184.216.34' }],
    });
  });

  it.each([
    ['nothing is allowed', [], 'https://api.example.com/'],
    ['the host is another one', ['api.example.com'], 'https://evil.com/'],
    ['the port is another one', ['api.example.com'], 'https://api.example.com:8443/'],
    ['the connection is not encrypted', ['api.example.com'], 'http://api.example.com/'],
    ['the connection is not encrypted, on the allowed port', ['api.example.com'], 'http://api.example.com:443/'],
    ['the domain of a wildcard itself is asked', ['*.example.com'], 'https://example.com/'],
    ['the host only ends like the domain', ['*.example.com'], 'https://badexample.com/'],
    ['the allowed host is a subdomain of another', ['api.example.com'], 'https://api.example.com.evil.com/'],
    ['the name ends with a dot', ['api.example.com'], 'https://api.example.com./'],
    ['the allowed host is a user name', ['api.example.com'], 'https://api.example.com@evil.com/'],
    ['the URL has credentials', ['api.example.com'], 'https://user:word@api.example.com/'],
    ['the URL has an empty password', ['api.example.com'], 'https://user:@api.example.com/'],
    ['a backslash ends the host', ['api.example.com'], 'https://evil.com\\@api.example.com/'],
    ['the protocol is another one', ['api.example.com'], 'file://api.example.com/etc/passwd'],
    ['the protocol is gopher', ['api.example.com'], 'gopher://api.example.com:443/'],
    ['the URL is relative', ['api.example.com'], '/orders'],
    ['the URL has no protocol', ['api.example.com'], '//api.example.com'],
  ])('refuses when %s', async (_name, entries, url) => {
    await expect(checkEgress(allow(...entries), url, never, publicly)).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
  });

  it.each(['*.10.0.0.1', '*', 'a b', 'https://a/path', 'user@host', 'host:99999', '', 'ftp://a', '[::1', '!private'])(
    'refuses %j as an entry',
    (text) => expect(parseEgressEntry(text)).toBeUndefined(),
  );
});

describe('addresses', () => {
  const loopback = [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://0/',
    'https://[::]/',
    'https://localhost/',
  ];
  it.each(loopback)('%s is refused although every name is allowed', async (url) => {
    const everything = allow('*.com', '*.internal');
    await expect(checkEgress(everything, url, never, resolveTo('127.0.0.1'))).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:93.184.216.34',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
  ])('a name that resolves to %s is refused', async (address) => {
    const checked = checkEgress(allow('api.example.com'), 'https://api.example.com/', never, resolveTo(address));
    await expect(checked).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  });

  it.each(['93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:2800:220:1:248:1893:25c8:1946'])(
    'a name that resolves to %s is permitted',
    async (address) => {
      const checked = checkEgress(allow('api.example.com'), 'https://api.example.com/', never, resolveTo(address));
      await expect(checked).resolves.toMatchObject({ addresses: [{ address }] });
    },
  );

  it('one private address among public ones refuses the host', async () => {
    const mixed = resolveTo('93.184.216.34', '10.0.0.1');
    await expect(checkEgress(allow('api.example.com'), 'https://api.example.com/', never, mixed)).rejects.toMatchObject(
      {
        code: 'EGRESS_REFUSED',
      },
    );
  });

  it.each([
    ['the entry is that address', '10.0.0.7', 'https://10.0.0.7/'],
    ['the entry is that address in another spelling', '167772167', 'https://10.0.0.7/'],
    ['the entry is that address of IPv6', '[fd00::7]:8443', 'https://[FD00:0::7]:8443/'],
    ['the entry ends in !private', 'db.internal!private', 'https://db.internal/'],
    ['a wildcard ends in !private', '*.internal:8080!private', 'https://db.internal:8080/'],
  ])('a private address is permitted where %s', async (_name, entry, url) => {
    await expect(checkEgress(allow(entry), url, never, resolveTo('10.0.0.7'))).resolves.toBeDefined();
  });

  it('an exact entry without !private keeps a wildcard from permitting private addresses', async () => {
    const entries = allow('*.internal!private', 'api.internal');
    await expect(checkEgress(entries, 'https://api.internal/', never, resolveTo('10.0.0.7'))).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
  });

  it('a name that does not resolve is a failed connection', async () => {
    const nowhere: Resolve = async () => {
      throw new Error('ENOTFOUND');
    };
    await expect(
      checkEgress(allow('api.example.com'), 'https://api.example.com/', never, nowhere),
    ).rejects.toMatchObject({
      code: 'HTTP_CONNECTION',
    });
  });
});

describe('a name server that does not answer', () => {
  it('fails the lookup at its deadline, and one that is over before it', async () => {
    const silent: Resolve = () => new Promise(() => undefined);
    const check = (deadline: AbortSignal) =>
      checkEgress(allow('api.example.com'), 'https://api.example.com/', deadline, silent);
    for (const deadline of [AbortSignal.timeout(20), AbortSignal.abort()])
      await expect(check(deadline)).rejects.toMatchObject({
        code: 'HTTP_TIMEOUT',
        message: 'The name of api.example.com was not resolved in time.',
      });
  });
});

describe('a request', () => {
  let server: Server;
  let port: number;
  let seen: { url: string; host: string | undefined }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ url: request.url!, host: request.headers.host });
      if (request.url === '/redirect') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      else if (request.url === '/large') response.end(Buffer.alloc(2_000));
      else if (request.url === '/silent') return;
      else if (request.url === '/half') {
        response.writeHead(200, { 'content-length': '100' }).write('a');
        response.flushHeaders();
      } else if (request.url === '/broken') request.socket.destroy();
      else response.setHeader('x-answer', '1').end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  const request = {
    method: 'GET',
    headers: {},
    connectionTimeoutMilliseconds: 5_000,
    readTimeoutMilliseconds: 5_000,
    answerBody: { maxBytes: 1_000 },
  };
  const egress = (resolve?: Resolve) => createEgress(allow(`http://api.test:${port}!private`), resolve);
  const sendTo = async (path: string, changes: Partial<typeof request> & { signal?: AbortSignal } = {}) => {
    const target = await egress(resolveTo('127.0.0.1')).check(`http://api.test:${port}${path}`, never);
    return egress().send(target, { ...request, ...changes });
  };

  it('goes to the checked address and names the host', async () => {
    const answer = await sendTo('/');
    expect(answer).toMatchObject({ status: 200, headers: { 'x-answer': '1' } });
    expect(answer.body.toString()).toBe('hello');
    expect(seen.at(-1)).toEqual({ url: '/', host: `api.test:${port}` });
  });

  it('does not resolve its host again, so that a name cannot change its address after the check', async () => {
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '10.255.255.1', family: 4 }];
    const here = egress(rebinding);
    const target = await here.check(`http://api.test:${port}/`, never);
    await expect(here.send(target, request)).resolves.toMatchObject({ status: 200 });
    expect(asked).toBe(1);
  });

  it('does not follow a redirect', async () => {
    seen = [];
    await expect(sendTo('/redirect')).resolves.toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });

  it('fails when the answer is larger than its limit', async () => {
    await expect(sendTo('/large')).rejects.toMatchObject({ code: 'HTTP_ANSWER_TOO_LARGE' });
  });

  it.each(['/silent', '/half'])('fails when the answer of %s does not end in time', async (path) => {
    await expect(sendTo(path, { readTimeoutMilliseconds: 50 })).rejects.toMatchObject({ code: 'HTTP_TIMEOUT' });
  });

  it('fails when the connection breaks', async () => {
    await expect(sendTo('/broken')).rejects.toMatchObject({ code: 'HTTP_CONNECTION' });
  });

  it('is not sent with a header that contains a line break, and does not repeat it in the message', async () => {
    const failure = await sendTo('/', { headers: { authorization: 'topsecret\r\nx: 1' } }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'HTTP_REQUEST_INVALID' });
    expect(String(failure)).not.toContain('topsecret');
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection'])(
    'is not sent with a given header %s, which could address another service at the same address',
    async (name) => {
      await expect(sendTo('/', { headers: { [name]: '0' } })).rejects.toMatchObject({ code: 'HTTP_REQUEST_INVALID' });
    },
  );

  it('ends when it is aborted', async () => {
    const lost = new Error('lease lost');
    await expect(sendTo('/silent', { signal: AbortSignal.abort(lost) })).rejects.toBe(lost);
  });
});
