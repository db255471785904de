import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { type Certificates, makeCertificates } from '../cloud/certificates.ts';

/** A POST as it came in. */
export interface Post {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: Date;
  /** The same number for all that came on one connection, from 1. */
  readonly connection: number;
  /** When it had been answered, or its sender had broken off; undefined while it is under way. */
  readonly overAt?: Date;
}

/** What the receiver does with a POST that it has read. */
export type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
      readonly afterMillis?: number;
      /** Something else that has to happen before. */
      readonly after?: Promise<unknown>;
    }
  /** Raw bytes, for answers that an HTTP server would not send. */
  | { readonly raw: string | Uint8Array; readonly thenClose?: boolean }
  /** Goes on for ever. */
  | { readonly drip: { readonly first: string; readonly piece: string; readonly everyMillis: number } }
  | 'hang'
  | 'drop';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** The authority that a client must trust. */
  readonly caPem: string;
  readonly posts: readonly Post[];
  /** How many connections were opened, TLS included. */
  readonly connections: number;
  readonly openConnections: number;
  /** Answers the coming POSTs one by one; when all are used, 200 again. */
  will(...answers: readonly Answer[]): void;
  /** Resolves when so many POSTs to a path have come. */
  posted(path: string, count: number): Promise<void>;
  /** Closes all connections, as a server does with idle ones. */
  dropConnections(): void;
  close(): Promise<void>;
}

interface ReceiverOptions {
  readonly host?: string;
  readonly certificates?: Certificates;
  /** Which TLS it speaks. */
  readonly tls?: SecureContextOptions;
  /** The answer when `will` has set none. */
  readonly answer?: (post: Post) => Answer;
  /** True if `posts` holds them. @default true */
  readonly keepsPosts?: boolean;
  /** The clock by which POSTs are dated. @default the machine's */
  readonly now?: () => Date;
}

/**
 * An HTTPS endpoint for webhooks on a free port of this machine, that records all requests and answers as configured.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = '127.0.0.1', certificates = makeCertificates(), keepsPosts = true, now = () => new Date() } = options;
  const arrivals = new EventEmitter();
  const answer = options.answer ?? (() => ({ status: 200 }));
  const posts: Post[] = [];
  const next: Answer[] = [];
  const numbers = new WeakMap<Socket, number>();
  const opened = new Set<Socket>();
  let connections = 0;

  const server = createServer({ ...options.tls, cert: certificates.certPem, key: certificates.keyPem });
  server.keepAliveTimeout = 60_000;
  server.on('secureConnection', (socket: Socket) => {
    connections += 1;
    numbers.set(socket, connections);
    opened.add(socket);
    socket.on('close', () => opened.delete(socket)).on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void receive(request)
      .then((post) => {
        if (keepsPosts) posts.push(post);
        arrivals.emit('post');
        response.once('close', () => Object.assign(post, { overAt: now() }));
        return reply(next.shift() ?? answer(post), response);
      })
      // The sender broke off, which tests see from its result.
      .catch(() => {});
  });

  async function receive(request: IncomingMessage): Promise<Post> {
    const { url: path = '', headers, rawHeaders, socket } = request;
    const body = await buffer(request);
    return { path, headers, rawHeaders, body, at: now(), connection: numbers.get(socket) ?? 0 };
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    caPem: certificates.caPem,
    posts,
    get connections() {
      return connections;
    },
    get openConnections() {
      return opened.size;
    },
    will: (...answers) => next.push(...answers),
    async posted(path, count) {
      while (posts.filter((post) => post.path === path).length < count) await once(arrivals, 'post');
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function reply(answer: Answer, response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (answer === 'hang' || !socket) return;
  if (answer === 'drop') {
    socket.destroy();
  } else if ('status' in answer) {
    await sleep(answer.afterMillis ?? 0);
    await answer.after;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  } else if ('raw' in answer) {
    socket.write(answer.raw);
    if (answer.thenClose) socket.end();
  } else {
    const { first, piece, everyMillis } = answer.drip;
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), everyMillis);
    socket.on('close', () => clearInterval(timer));
  }
}
