import { type AddressInfo, createServer, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HttpServer } from '../../../../cdk/local/http-api/http-server.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

type Listen = (this: Server, ...args: unknown[]) => Server;

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!hasIpv6)('a port that is free at one address only', () => {
  /** Takes at `::1` each of the first ports that the server takes at `127.0.0.1`. */
  function takenAtIpv6(times: number): Server[] {
    const others: Server[] = [];
    const listen = Reflect.get(Server.prototype, 'listen') as Listen;
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function take(this: Server, ...args: unknown[]) {
      const [port, host] = args;
      if (host === '::1' && others.length < times) others.push(listen.apply(createServer(), [port, host]));
      return listen.apply(this, args);
    });
    return others;
  }

  it('is passed over where any port will do', async () => {
    const others = takenAtIpv6(2);
    const server = await HttpServer.listen(0, () => new Date());
    const taken = others.map((other) => (other.address() as AddressInfo).port);
    expect([taken.length, taken.includes(server.port)]).toEqual([2, false]);
    expect((await fetch(`http://[::1]:${server.port}/`)).status).toBe(503);
    await server.close(0);
    for (const other of others) other.close();
  });

  it('is refused where this one is wanted', async () => {
    const probe = await HttpServer.listen(0, () => new Date());
    const { port } = probe;
    await probe.close(0);
    const others = takenAtIpv6(1);
    await expect(HttpServer.listen(port, () => new Date())).rejects.toMatchObject({ code: 'EADDRINUSE' });
    for (const other of others) other.close();
  });
});
