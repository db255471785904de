import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface DomainProxyOptions {
  /** The address of the API itself. */
  readonly origin: string;
  readonly secret: string;
}

export interface DomainProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Does before the API what CloudFront does: it names the origin as the host, appends the address of the viewer to
 * `X-Forwarded-For`, and puts its own headers in the place of those that a viewer sends.
 */
export async function startDomainProxy({ origin, secret }: DomainProxyOptions): Promise<DomainProxy> {
  const server = createServer((viewed, response) => {
    const { host } = new URL(origin);
    const headers = { ...viewed.headers, ...headersOf(viewed), host, 'x-origin-secret': secret };
    const sent = httpRequest(origin + viewed.url, { method: viewed.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    sent.once('error', () => response.destroy());
    viewed.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function headersOf({ socket, headers }: IncomingMessage): IncomingHttpHeaders {
  const forwarded = headers['x-forwarded-for'];
  const address = socket.remoteAddress ?? '';
  return {
    via: '2.0 proxy.example (CloudFront)',
    'x-forwarded-for': forwarded === undefined ? address : `${String(forwarded)}, ${address}`,
    'x-forwarded-proto': 'https',
    'cloudfront-viewer-address': `${address}:${socket.remotePort}`,
  };
}
