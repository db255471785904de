import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ResolveHost } from '../../../functions/webhooks/sending/vetted-addresses.ts';
import { makeCertificates } from '../../support/cloud/certificates.ts';
import { addresses, failureOf, HOST, head, needsIpv6, receiver, requestTo, sender } from './sending-to.ts';

const soon = { timeout: 120_000, interval: 20 };

describe('a kept connection', () => {
  it('carries the next request of its group', async () => {
    const endpoint = await receiver();
    const send = sender();
    for (const path of ['/1', '/2', '/3']) {
      expect(await send(requestTo(endpoint.url + path))).toMatchObject({ kind: 'answered' });
    }
    expect(endpoint.posts.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  it('is not for two requests at a time, nor for another group, nor for another sender', async () => {
    const endpoint = await receiver();
    const send = sender();
    await Promise.all([send(requestTo(endpoint.url)), send(requestTo(endpoint.url))]);
    expect(endpoint.connections).toBe(2);
    await send(requestTo(endpoint.url, { connectionGroup: 'tenant#another' }));
    expect(endpoint.connections).toBe(3);
    await sender()(requestTo(endpoint.url));
    expect(endpoint.connections).toBe(4);
  });

  it('is not for a host that has other addresses now, nor for another host', async (context) => {
    needsIpv6(context);
    const endpoint = await receiver({ host: '::' });
    let current = addresses('127.0.0.1');
    const send = sender({ resolveHost: () => Promise.resolve(current) });
    const request = requestTo(`https://${HOST}:${endpoint.port}`);
    await send(request);
    await send(request);
    expect(endpoint.connections).toBe(1);
    current = addresses('127.0.0.1', '::1');
    await send(request);
    expect(endpoint.connections).toBe(2);
    current = addresses('::1', '127.0.0.1');
    await send(request);
    expect(endpoint.connections).toBe(2);
    await send(requestTo(`https://localhost:${endpoint.port}`));
    expect(endpoint.connections).toBe(3);
  });

  it('that the endpoint has closed is not used', async () => {
    const endpoint = await receiver();
    const send = sender();
    await send(requestTo(endpoint.url));
    endpoint.dropConnections();
    await vi.waitFor(() => expect(endpoint.openConnections).toBe(0), soon);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await send(requestTo(endpoint.url))).toMatchObject({ kind: 'answered' });
    expect(endpoint.posts.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('is not used when the process stood still for a while, as a function does between two calls', async () => {
    const endpoint = await receiver();
    const send = sender();
    await send(requestTo(endpoint.url));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    await send(requestTo(endpoint.url));
    expect(endpoint.connections).toBe(2);
  });

  it('that dies under a request fails the attempt; nothing is sent again', async () => {
    const endpoint = await receiver();
    const send = sender();
    await send(requestTo(endpoint.url));
    endpoint.will('drop');
    expect(failureOf(await send(requestTo(endpoint.url)))).toBe('connection_closed');
    expect(endpoint.posts.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(endpoint.connections).toBe(1);
    expect(await send(requestTo(endpoint.url))).toMatchObject({ kind: 'answered' });
  });

  it('that dies before the endpoint has read the request fails the attempt; nothing is sent again', async () => {
    const endpoint = await rawEndpoint((socket, count) => {
      if (count === 1) socket.write(head('200 OK', 'Content-Length: 0'));
      else socket.destroy();
    });
    const send = sender({ extraCa: endpoint.caPem });
    expect(await send(requestTo(endpoint.url))).toMatchObject({ kind: 'answered' });
    expect(failureOf(await send(requestTo(endpoint.url)))).toBe('connection_closed');
    expect(endpoint.sockets).toHaveLength(1);
  });

  it.each([
    ['at once', 0],
    ['a moment later', 30],
  ])('on which the endpoint keeps sending, %s, is not used', async (_when, millis) => {
    const endpoint = await rawEndpoint((socket) => {
      const unasked = head('500 Unasked', 'Content-Length: 0');
      socket.write(head('200 OK', 'Content-Length: 0') + (millis === 0 ? unasked : ''));
      if (millis > 0) setTimeout(() => socket.write(unasked), millis);
    });
    const send = sender({ extraCa: endpoint.caPem });
    await send(requestTo(endpoint.url));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(endpoint.sockets).toHaveLength(1);
    await send(requestTo(endpoint.url));
    expect(endpoint.sockets).toHaveLength(2);
  });

  it.each([
    ['its end was announced', { Connection: 'close' }],
    ['the endpoint keeps it for a second only', { 'Keep-Alive': 'timeout=1' }],
  ])('is not kept when %s', async (_why, headers) => {
    const endpoint = await receiver({ answer: () => ({ status: 200, headers }) });
    const send = sender();
    await send(requestTo(endpoint.url));
    await send(requestTo(endpoint.url));
    expect(endpoint.connections).toBe(2);
  });

  it('is not kept after an answer that was cut', async () => {
    const endpoint = await receiver();
    endpoint.will({ status: 200, body: 'x'.repeat(20_000) });
    const send = sender();
    await send(requestTo(endpoint.url));
    await send(requestTo(endpoint.url));
    expect(endpoint.connections).toBe(2);
  });

  it('is not kept when the answer came before all of the request was sent', async () => {
    const endpoint = await rawEndpoint((socket, count) => {
      if (count > 1) return;
      socket.pause();
      socket.write(head('413 Content Too Large', 'Content-Length: 0'));
    });
    const send = sender({ extraCa: endpoint.caPem });
    const body = Buffer.alloc(64_000_000);
    const result = await send(requestTo(endpoint.url, { body }));
    expect(result).toMatchObject({ kind: 'answered', statusCode: 413 });
    const [socket] = endpoint.sockets;
    socket?.resume();
    await vi.waitFor(() => expect(socket?.destroyed).toBe(true), soon);
    // It was closed at the answer and not only when all had gone through.
    expect(socket?.bytesRead).toBeLessThan(body.length);
  });

  it('is closed after a while, and there are never more than 50', async () => {
    const endpoint = await receiver();
    const send = sender();
    for (let group = 0; group < 60; group += 1) {
      await send(requestTo(endpoint.url, { connectionGroup: `group-${group}` }));
    }
    expect(endpoint.connections).toBe(60);
    // The latest are those that are kept.
    await send(requestTo(endpoint.url, { connectionGroup: 'group-59' }));
    expect(endpoint.connections).toBe(60);
    await send(requestTo(endpoint.url, { connectionGroup: 'group-9' }));
    expect(endpoint.connections).toBe(61);
    await vi.waitFor(() => expect(endpoint.openConnections).toBe(0), soon);
  });
});

describe('an address that must not be called', () => {
  const notAllowed = (url: string) => {
    const request = requestTo(url);
    return { ...request, target: { ...request.target, mayBePrivate: false } };
  };

  it('is not called when it is the host itself', async () => {
    const endpoint = await receiver();
    expect(failureOf(await sender()(notAllowed(endpoint.url)))).toBe('blocked_target');
    expect(endpoint.connections).toBe(0);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '2606:4700::1111']],
    [['fe80::1%eth0']],
    [['not an address']],
  ])('is not called when a look-up brings it: %j', async (names) => {
    const endpoint = await receiver();
    const resolveHost: ResolveHost = () => Promise.resolve(addresses(...names));
    const result = await sender({ resolveHost })(notAllowed(`https://${HOST}:${endpoint.port}`));
    expect(failureOf(result)).toBe('blocked_target');
    expect(endpoint.connections).toBe(0);
  });
});

it('a proxy of the environment is not used', async () => {
  const endpoint = await receiver();
  const proxy = 'http://127.0.0.1:1';
  const script = `
    import { httpsSender } from ${JSON.stringify(new URL('../../../functions/webhooks/sending/sender.https.ts', import.meta.url).href)};
    const request = JSON.parse(process.argv[1]);
    const result = await httpsSender({ extraCa: process.argv[2] })({ ...request, body: Buffer.from('{}') });
    console.log(JSON.stringify(result));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(requestTo(endpoint.url)), endpoint.caPem],
    { env: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy, HTTP_PROXY: proxy } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(endpoint.posts).toHaveLength(1);
});

/** An endpoint that reacts to all incoming data, with the number of chunks on that connection so far. */
async function rawEndpoint(react: (socket: TLSSocket, count: number) => void) {
  const { caPem, certPem, keyPem } = makeCertificates();
  const sockets: TLSSocket[] = [];
  const server = createServer({ cert: certPem, key: keyPem }, (socket) => {
    sockets.push(socket);
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', () => {
      count += 1;
      react(socket, count);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caPem, sockets };
}
