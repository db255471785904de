/**
 * The entrance of the local cloud: it checks the signature, then the permission, then calls the service. Only requests
 * that AWS leaves public need neither.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Activity, AWS_CALL } from '../activity.ts';
import { LostConnection, type Outages } from '../aws-failures/outages.ts';
import type { Authorizer } from '../iam/authorizer.ts';
import { type Authentication, authenticate, type Signer } from '../sigv4/authenticate.ts';
import { claimedService, isUnsigned } from '../sigv4/claim.ts';
import type { ReceivedRequest } from '../sigv4/received.ts';
import { SigningKeys } from '../sigv4/signing-key.ts';
import type { AwsRequest, AwsResponse, Principal } from './aws-service.ts';
import { CallRefusal } from './call-refusal.ts';
import { answer, goneSignal, receive, type StreamedResponse, type StreamingService } from './exchange.ts';
import { jsonError } from './json-protocol.ts';

export interface KnownSigner extends Signer {
  readonly principal: Principal;
}

export interface FrontOptions {
  readonly region: string;
  readonly now: () => Date;
  readonly authorizer: Authorizer;
  readonly activity: Activity;
  readonly outages: Outages;
}

/** The caller of public requests, and of those that are refused before their caller is known. */
const NOBODY: Principal = { kind: 'role', arn: 'anonymous' };

export class Front {
  private readonly options: FrontOptions;
  private readonly keys = new SigningKeys();
  private readonly services = new Map<string, StreamingService>();
  private readonly signers = new Map<string, KnownSigner>();
  private readonly server: Server;

  constructor(options: FrontOptions) {
    this.options = options;
    this.server = createServer(
      (message, response) => void options.activity.during(AWS_CALL, () => this.serve(message, response)),
    );
    // SDKs keep idle connections open for long. If the server closed them first, the next call would fail.
    this.server.keepAliveTimeout = 120_000;
    this.server.requestTimeout = 0;
  }

  addService(service: StreamingService): void {
    this.services.set(service.signingName, service);
  }

  addSigner(signer: KnownSigner): void {
    this.signers.set(signer.accessKeyId, signer);
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
    return address.port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    // Clients keep the connection of an answer open, so connections become idle only after the answers are sent.
    const closer = setInterval(() => this.server.closeIdleConnections(), 10);
    // A request that still waits after this would never get its answer.
    const impatient = setTimeout(() => this.server.closeAllConnections(), 2000);
    await closed;
    clearInterval(closer);
    clearTimeout(impatient);
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = goneSignal(response);
    // Clients set their clock by this header, so it must be the clock that judges their signatures.
    response.setHeader('date', this.options.now().toUTCString());
    try {
      await answer(response, await this.respond(message, gone));
    } catch {
      // If the headers have been sent, the connection is cut, so that the body does not look complete.
      response.destroy();
    }
  }

  private async respond(message: IncomingMessage, gone: AbortSignal): Promise<AwsResponse | StreamedResponse> {
    let received: ReceivedRequest;
    try {
      received = await receive(message);
    } catch (error) {
      if (error instanceof CallRefusal) return jsonError(error);
      throw error;
    }
    const open = this.serviceOpenTo(received);
    if (open) return this.respondBy(open, received, { gone, isPublic: true });
    const name = claimedService(received) ?? this.serviceMeantBy(received);
    const service = this.services.get(name);
    if (!service) {
      return jsonError({ status: 501, code: 'UnknownService', message: `The local cloud has no service "${name}".` });
    }
    return this.respondBy(service, received, { gone, isPublic: false });
  }

  /** Returns the service whose error format an unsigned request gets. */
  private serviceMeantBy(received: ReceivedRequest): string {
    const meant = [...this.services.values()].find((service) => service.isMeantBy?.(received));
    return meant?.signingName ?? 's3';
  }

  private serviceOpenTo(received: ReceivedRequest): StreamingService | undefined {
    // A preflight repeats the query of the request that it asks about, and is not signed itself.
    if (received.method !== 'OPTIONS' && !isUnsigned(received)) return undefined;
    return [...this.services.values()].find((service) => service.isPublic?.(received));
  }

  private async respondBy(
    service: StreamingService,
    received: ReceivedRequest,
    { gone, isPublic }: { readonly gone: AbortSignal; readonly isPublic: boolean },
  ): Promise<AwsResponse | StreamedResponse> {
    let request: AwsRequest = { ...received, query: new URLSearchParams(received.rawQuery), principal: NOBODY };
    try {
      if (isPublic) return this.failureOf(service, request) ?? (await service.handle({ ...request, gone }));
      const { authorizer } = this.options;
      request = verified(received, request, this.authenticated(received));
      const refusal = authorizer.refusal(request.principal, service.permissionsOf(request));
      if (refusal !== null) return service.error(403, 'AccessDenied', refusal, request);
      const failure = this.failureOf(service, request);
      if (failure) return failure;
      return await service.handle({ ...request, gone });
    } catch (error) {
      if (error instanceof LostConnection) throw error;
      if (error instanceof CallRefusal) return service.error(error.status, error.code, error.message, request);
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return service.error(500, 'InternalError', `The local cloud failed: ${detail}`, request);
    }
  }

  /** Returns the failure of a call by a role during an outage of the service. */
  private failureOf(service: StreamingService, request: AwsRequest): AwsResponse | undefined {
    if (request.principal.kind === 'root') return undefined;
    const ending = this.options.outages.endingOf(service.signingName, request);
    if (ending === 'lost') throw new LostConnection();
    return ending && service.error(ending.status, ending.code, 'An outage.', request);
  }

  private authenticated(received: ReceivedRequest): Authentication<KnownSigner> {
    const { region, now } = this.options;
    return authenticate(received, { region, now, keys: this.keys, signerOf: (id) => this.signers.get(id) });
  }
}

function verified(
  received: ReceivedRequest,
  request: AwsRequest,
  { signer, body, headers }: Authentication<KnownSigner>,
): AwsRequest {
  return {
    method: received.method,
    path: received.path,
    query: request.query,
    headers,
    body,
    principal: signer.principal,
  };
}
