import type { LookupAddress } from 'node:dns';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { failureOf, type Phase } from './failure.ts';
import { formatAddress, parseAddress } from './ip-address.ts';
import type { SendFailure } from './sending.ts';
import type { Target } from './target-policy.ts';

/** The target of a connection, and its vetted addresses. */
export interface Destination {
  readonly target: Target;
  readonly addresses: readonly LookupAddress[];
  /** Connections are shared within one group only. */
  readonly group: string;
}

export interface Connection {
  readonly socket: TLSSocket;
  readonly connectMillis?: number;
  readonly tlsMillis?: number;
}

export interface NotConnected {
  readonly failure: SendFailure;
  readonly connectMillis?: number;
}

/** The time for each address. Node's default of 250 ms fails for addresses that are merely far away. */
const ADDRESS_MILLIS_MAX = 2_500;

/**
 * The longest reuse of an idle connection. Common servers close after 5 s at the earliest; if one closes at the moment
 * of the next request, the customer loses an attempt.
 */
const IDLE_MILLIS_MAX = 2_000;
const IDLE_CONNECTIONS_MAX = 50;

interface IdleConnection {
  readonly key: string;
  readonly until: number;
  readonly drop: () => void;
}

/** Opens TLS connections to vetted addresses, and keeps some idle ones for reuse. */
export class Connections {
  readonly #context: SecureContext;
  /** Idle connections, oldest first. */
  readonly #idle = new Map<TLSSocket, IdleConnection>();

  /** `extraCa` is trusted beside the authorities that the runtime trusts. */
  constructor(extraCa?: string) {
    const ca = extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] };
    // Reading all authorities takes milliseconds, so there is one context for all connections. It holds no secret.
    this.#context = createSecureContext({ ...ca, minVersion: 'TLSv1.2' });
  }

  /** Returns an idle connection or opens a new one. */
  async open(destination: Destination, signal: AbortSignal): Promise<Connection | NotConnected> {
    const idle = this.#take(destination);
    if (idle) return { socket: idle };
    const connection = await opened(destination, this.#context, signal);
    if ('failure' in connection || isVetted(connection.socket, destination)) return connection;
    connection.socket.destroy();
    return { failure: 'blocked_target' };
  }

  /** Keeps an idle connection for as long as the endpoint allows, within our own limit. */
  keep(socket: TLSSocket, destination: Destination, idleMillisMax = IDLE_MILLIS_MAX): void {
    const idleMillis = Math.min(idleMillisMax, IDLE_MILLIS_MAX);
    if (socket.destroyed || !socket.writable || idleMillis <= 0) {
      socket.destroy();
      return;
    }
    const drop = () => {
      this.#idle.delete(socket);
      socket.destroy();
    };
    // Unsolicited data would be taken for the response to the next request, so it drops the connection.
    for (const event of ENDS) socket.on(event, drop);
    socket.setTimeout(idleMillis);
    socket.unref();
    this.#idle.set(socket, { key: keyOf(destination), until: performance.now() + idleMillis, drop });
    const [oldest] = this.#idle.values();
    if (this.#idle.size > IDLE_CONNECTIONS_MAX) oldest?.drop();
  }

  #take(destination: Destination): TLSSocket | undefined {
    const key = keyOf(destination);
    for (const [socket, idle] of [...this.#idle].reverse()) {
      if (idle.key !== key) continue;
      // Timers fire late in a function that was frozen.
      if (socket.destroyed || performance.now() > idle.until || !isVetted(socket, destination)) {
        idle.drop();
        continue;
      }
      this.#idle.delete(socket);
      for (const event of ENDS) socket.off(event, idle.drop);
      socket.setTimeout(0);
      socket.ref();
      return socket;
    }
    return undefined;
  }
}

const ENDS = ['data', 'end', 'timeout', 'error', 'close'] as const;

function keyOf({ group, target, addresses }: Destination): string {
  return JSON.stringify([group, target.host, target.port, ...addresses.map(({ address }) => address).sort()]);
}

/** Returns whether the connection really leads to one of the vetted addresses. */
function isVetted({ remoteAddress }: TLSSocket, { addresses }: Destination): boolean {
  const remote = canonical(remoteAddress ?? '');
  return remote !== '' && addresses.some(({ address }) => canonical(address) === remote);
}

function canonical(text: string): string {
  const address = parseAddress(text);
  return address ? formatAddress(address) : '';
}

function opened(
  destination: Destination,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Connection | NotConnected> {
  return new Promise((resolve) => {
    let phase: Phase = 'connect';
    const start = performance.now();
    let connectMillis: number | undefined;
    const socket = connect(optionsOf(destination, secureContext));
    const fail = (failure: SendFailure) => {
      socket.destroy();
      resolve({ failure, ...(connectMillis !== undefined && { connectMillis }) });
    };
    const onAbort = () => fail('timeout');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    socket.once('connect', () => {
      phase = 'tls';
      connectMillis = performance.now() - start;
      socket.once('secureConnect', () => {
        signal.removeEventListener('abort', onAbort);
        resolve({ socket, connectMillis, tlsMillis: performance.now() - start - (connectMillis ?? 0) });
      });
    });
    // This listener is never removed, so that no error of the socket is unhandled.
    socket.on('error', (error) => fail(failureOf(error, phase)));
    socket.once('close', () => fail('connection_closed'));
  });
}

function optionsOf(
  { target, addresses }: Destination,
  secureContext: SecureContext,
): ConnectionOptions & TcpNetConnectOpts {
  return {
    host: target.host,
    port: target.port,
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MILLIS_MAX,
    noDelay: true,
    // TLS sends names only. An address is checked against the certificate as the host itself.
    ...(!target.isAddress && { servername: target.host }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, because the environment could set it otherwise.
    rejectUnauthorized: true,
  };
}

/** Returns a DNS lookup function that answers with the vetted addresses: a second resolution could return others. */
function answering(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
