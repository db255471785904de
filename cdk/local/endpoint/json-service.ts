/** The frame of the services that speak AWS's JSON protocol: it finds the operation of a call, and puts answers and refusals into words. */
import type { z } from 'zod';
import type { AwsRequest, AwsResponse, NeededPermission, UnsignedRequest } from './aws-service.ts';
import { CallRefusal } from './call-refusal.ts';
import type { StreamingService, WatchedRequest } from './exchange.ts';
import { type JsonObject, jsonBody } from './json.ts';
import { type JsonError, jsonError } from './json-protocol.ts';
import { parsedRequest } from './parsed-request.ts';

/** A call whose input has been checked. */
export interface PreparedCall {
  readonly permissions: readonly NeededPermission[];
  /** Runs once the permissions are given. */
  readonly answer: (request: WatchedRequest) => object | Promise<object>;
}

export type Operation<Store> = (store: Store, body: JsonObject) => PreparedCall;
export type Operations<Store> = Readonly<Record<string, Operation<Store>>>;

/** Returns how a service makes operations of schemas. @param code of the error that it answers to a bad request. */
export const operationsOf =
  <Store>(code: string) =>
  <Schema extends z.ZodType>(
    schema: Schema,
    prepare: (store: Store, request: z.output<Schema>) => PreparedCall,
  ): Operation<Store> =>
  (store, body) =>
    prepare(store, parsedRequest(schema, body, code));

export interface JsonProtocol {
  readonly signingName: string;
  /** The name of the service in refusals: `KMS`. */
  readonly product: string;
  /** The beginning of `X-Amz-Target`, before the operation: `TrentService.`. */
  readonly target: string;
  readonly version: NonNullable<JsonError['version']>;
  readonly namespace?: string;
  /** The name of an error in the older Query protocol, by which SDKs still know it. @default there is none */
  readonly queryCodeOf?: (code: string) => string;
}

export class JsonService<Store> implements StreamingService {
  readonly signingName: string;
  protected readonly store: Store;
  private readonly protocol: JsonProtocol;
  private readonly operations: Operations<Store>;

  constructor(protocol: JsonProtocol, operations: Operations<Store>, store: Store) {
    this.signingName = protocol.signingName;
    this.protocol = protocol;
    this.operations = operations;
    this.store = store;
  }

  isMeantBy(request: UnsignedRequest): boolean {
    return this.operationIn(request) !== undefined;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.prepared(request).permissions;
  }

  async handle(request: WatchedRequest): Promise<AwsResponse> {
    try {
      return this.succeeded(await this.prepared(request).answer(request));
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error;
      // The code is the service's own: an InvalidToken of Step Functions is no token of a signature.
      const { status, code, message } = error;
      return this.failed({ status, code, message, isOwnCode: true });
    }
  }

  error(status: number, code: string, message: string): AwsResponse {
    return this.failed({ status, code, message });
  }

  protected operationIn({ headers }: UnsignedRequest): string | undefined {
    const { target } = this.protocol;
    const called = headers['x-amz-target'] ?? '';
    return called.startsWith(target) ? called.slice(target.length) : undefined;
  }

  protected succeeded(answer: object): AwsResponse {
    const headers = { 'content-type': `application/x-amz-json-${this.protocol.version}` };
    return { status: 200, headers, body: JSON.stringify(answer) };
  }

  protected failed(error: JsonError): AwsResponse {
    const { version, namespace, queryCodeOf } = this.protocol;
    const response = jsonError({ ...error, version, ...(namespace !== undefined && { namespace }) });
    if (!queryCodeOf) return response;
    const fault = error.status < 500 ? 'Sender' : 'Receiver';
    const headers = { ...response.headers, 'x-amzn-query-error': `${queryCodeOf(error.code)};${fault}` };
    return { ...response, headers };
  }

  private prepared(request: AwsRequest): PreparedCall {
    const { product } = this.protocol;
    const name = this.operationIn(request);
    if (name === undefined) {
      throw new CallRefusal(
        400,
        'UnknownOperationException',
        `The local cloud has ${product} over its JSON protocol only.`,
      );
    }
    const operation = Object.hasOwn(this.operations, name) ? this.operations[name] : undefined;
    if (!operation) {
      throw new CallRefusal(400, 'UnknownOperationException', `The local cloud does not have ${name} of ${product}.`);
    }
    return operation(this.store, jsonBody(request.body));
  }
}
