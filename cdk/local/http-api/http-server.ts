/** The server of the HTTP API. It listens on 127.0.0.1, and on ::1 if there is one, so that `localhost` works either way. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Answer, gatewayAnswer } from './answer.ts';
import type { ReceivedRequest } from './request-event.ts';

/** Bytes of a request's body. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;
/** Bytes of the request line and all header values together. */
const HEAD_BYTES_MAX = 10_240;

/** The part that answers requests. */
export interface RequestHandler {
  answer(request: ReceivedRequest): Promise<Answer>;
  refuse(request: ReceivedRequest, answer: Answer): Answer;
}

export class HttpServer {
  /** Is called when a request has its answer, before that is sent. */
  onAnswer: () => void = () => {};
  private readonly servers: readonly Server[];
  private readonly now: () => Date;
  private handler: RequestHandler | undefined;
  private stopping = false;

  private constructor(servers: readonly Server[], now: () => Date) {
    this.servers = servers;
    this.now = now;
    for (const server of servers) server.on('request', (message, response) => void this.serve(message, response));
  }

  /** Takes the port at once, and answers 503 until there is an API. 0 takes a free one. */
  static async listen(port: number, now: () => Date): Promise<HttpServer> {
    for (;;) {
      const first = await listening(port, '127.0.0.1');
      try {
        const second = await listening(portOf(first), '::1');
        return new HttpServer([first, second], now);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return new HttpServer([first], now);
        first.close();
        // A port that is free at one address may be taken at the other.
        if (code !== 'EADDRINUSE' || port !== 0) throw error;
      }
    }
  }

  get port(): number {
    return portOf(this.servers[0]);
  }

  use(handler: RequestHandler): void {
    this.handler = handler;
  }

  /** Takes no new connections; requests under way are answered, for at most `graceMillis`. */
  async close(graceMillis: number): Promise<void> {
    this.stopping = true;
    const cut = setTimeout(() => {
      for (const server of this.servers) server.closeAllConnections();
    }, graceMillis);
    await Promise.all(
      this.servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeIdleConnections();
        return closed;
      }),
    );
    clearTimeout(cut);
  }

  private async serve(message: IncomingMessage, response: ServerResponse) {
    try {
      const { request, answer } = await this.answered(message);
      this.onAnswer();
      this.write(response, request.method, answer);
    } catch (error) {
      // The caller went away in the middle of its request.
      response.destroy(error instanceof Error ? error : undefined);
    }
  }

  private async answered(message: IncomingMessage): Promise<{ request: ReceivedRequest; answer: Answer }> {
    const head = this.received(message, Buffer.alloc(0));
    const tooLong = refusalOfHead(message);
    const body = tooLong ? undefined : await bodyOf(message);
    if (!body) {
      // Read to its end, so that a caller who is still sending gets to see the answer.
      message.resume();
      return { request: head, answer: this.refused(head, tooLong ?? gatewayAnswer(413, 'Request Entity Too Large')) };
    }
    const request = this.received(message, body);
    if (!this.handler) return { request, answer: gatewayAnswer(503, 'Service Unavailable') };
    return { request, answer: await this.handler.answer(request) };
  }

  private refused(request: ReceivedRequest, answer: Answer): Answer {
    const closing: Answer = { ...answer, headers: [...answer.headers, ['connection', 'close']] };
    return this.handler?.refuse(request, closing) ?? closing;
  }

  private received(message: IncomingMessage, body: Buffer): ReceivedRequest {
    return {
      method: message.method ?? 'GET',
      target: message.url ?? '/',
      rawHeaders: message.rawHeaders,
      body,
      sourceIp: message.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1',
      requestId: randomUUID(),
      time: this.now(),
    };
  }

  private write(response: ServerResponse, method: string, { status, headers, body }: Answer) {
    for (const [name, value] of headers) response.appendHeader(name, value);
    if (this.stopping) response.setHeader('connection', 'close');
    const bodyless = method === 'HEAD' || status === 204 || status === 304;
    if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
    response.writeHead(status);
    response.end(bodyless ? undefined : body);
  }
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  if (!address || typeof address === 'string') throw new Error('The HTTP API has no port.');
  return address.port;
}

async function listening(port: number, host: string): Promise<Server> {
  const server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 75_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function refusalOfHead({ method = '', url = '', rawHeaders, headers }: IncomingMessage): Answer | undefined {
  const line = Buffer.byteLength(`${method} ${url} HTTP/1.1`);
  if (line > HEAD_BYTES_MAX) return gatewayAnswer(414, 'URI Too Long');
  const values = rawHeaders.reduce((sum, value, i) => (i % 2 === 1 ? sum + Buffer.byteLength(value) : sum), 0);
  if (line + values > HEAD_BYTES_MAX) return gatewayAnswer(431, 'Request Header Fields Too Large');
  return Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX
    ? gatewayAnswer(413, 'Request Entity Too Large')
    : undefined;
}

/** The whole body, or undefined when it is larger than the gateway takes. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early must not close the connection, because the refusal is still to be sent on it.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
