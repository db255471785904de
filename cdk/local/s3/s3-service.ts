/** Amazon S3, our own: the stand-in we tried cannot hold what this product writes (see `cdk/local/README.md`). */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, NeededPermission, UnsignedRequest } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { StreamedResponse, StreamingService, WatchedRequest } from '../endpoint/exchange.ts';
import {
  createBucket,
  deleteBucket,
  getVersioning,
  headBucket,
  listBuckets,
  listObjects,
  listVersions,
  putVersioning,
  sweepBuckets,
} from './bucket-operations.ts';
import { type CorsRule, crossOriginHeaders, preflightHeaders } from './cors.ts';
import {
  abortUpload,
  completeUpload,
  createUpload,
  listParts,
  uploadPart,
  uploadPartCopy,
} from './multipart-operations.ts';
import { copyObject, deleteObject, deleteObjects, getObject, headObject, putObject } from './object-operations.ts';
import type { Address } from './objects.ts';
import { addressOf, type OperationName, operationOf } from './operation.ts';
import { permissionsOf } from './permissions.ts';
import { type BucketRules, type S3Options, S3Store } from './store.ts';
import { xmlError } from './xml.ts';

export class S3Service implements StreamingService {
  readonly signingName = 's3';
  private readonly store: S3Store;
  private readonly operations: Readonly<Record<OperationName, Perform>>;

  constructor(options: S3Options & { readonly accountId: string }) {
    this.store = new S3Store(options);
    this.operations = operationsOn(this.store, options);
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return permissionsOf(operationOf(request), request);
  }

  /** A browser asks before it sends a request of another origin, without a signature. */
  isPublic({ method }: UnsignedRequest): boolean {
    return method === 'OPTIONS';
  }

  async handle(request: WatchedRequest): Promise<AwsResponse | StreamedResponse> {
    try {
      if (request.method === 'OPTIONS') return this.preflight(request);
      const { name, ...address } = operationOf(request);
      const response = await this.operations[name](address, request);
      return {
        ...response,
        headers: { ...response.headers, ...this.crossOriginHeaders(request) },
      };
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error;
      const response = this.error(error.status, error.code, error.message, request);
      return { ...response, headers: { ...response.headers, ...error.headers } };
    }
  }

  error(status: number, code: string, message: string, request: AwsRequest): AwsResponse {
    const RequestId = randomUUID();
    const type = { 'content-type': 'application/xml', 'x-amz-request-id': RequestId };
    const headers = { ...type, ...this.crossOriginHeaders(request) };
    if (request.method === 'HEAD') return { status, headers, body: '' };
    return { status, headers, body: xmlError({ Code: code, Message: message, Resource: request.path, RequestId }) };
  }

  private preflight(request: AwsRequest): AwsResponse {
    const headers = preflightHeaders(this.corsRulesFor(request), request);
    if (!headers) throw new CallRefusal(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
    return { status: 200, headers, body: '' };
  }

  private crossOriginHeaders(request: AwsRequest): Record<string, string> {
    return request.headers['origin'] === undefined ? {} : crossOriginHeaders(this.corsRulesFor(request), request);
  }

  private corsRulesFor({ path }: AwsRequest): readonly CorsRule[] {
    return this.store.rules.get(addressOf(path).bucket)?.cors ?? [];
  }

  setRules(bucket: string, rules: BucketRules): void {
    this.store.rules.set(bucket, rules);
  }

  /** Carries out lifecycle rules. */
  sweep(): void {
    sweepBuckets(this.store);
  }

  close(): void {
    this.store.close();
  }
}

type Answer = AwsResponse | StreamedResponse;
type Perform = (address: Address, request: WatchedRequest) => Answer | Promise<Answer>;

function operationsOn(
  store: S3Store,
  { region, accountId }: { readonly region: string; readonly accountId: string },
): Readonly<Record<OperationName, Perform>> {
  return {
    ListBuckets: () => listBuckets(store, accountId),
    CreateBucket: ({ bucket }) => createBucket(store, bucket),
    HeadBucket: ({ bucket }) => headBucket(store, bucket, region),
    DeleteBucket: ({ bucket }) => deleteBucket(store, bucket),
    ListObjectsV2: ({ bucket }, request) => listObjects(store, bucket, request),
    ListObjectVersions: ({ bucket }, { query }) => listVersions(store, bucket, { query, owner: accountId }),
    GetBucketVersioning: ({ bucket }) => getVersioning(store, bucket),
    PutBucketVersioning: ({ bucket }, request) => putVersioning(store, bucket, request),
    DeleteObjects: ({ bucket }, request) => deleteObjects(store, bucket, request),
    PutObject: (address, request) => putObject(store, address, request),
    GetObject: (address, request) => getObject(store, address, request),
    HeadObject: (address, request) => headObject(store, address, request),
    CopyObject: (address, request) => copyObject(store, address, request),
    DeleteObject: (address, request) => deleteObject(store, address, request),
    CreateMultipartUpload: (address, request) => createUpload(store, address, request),
    UploadPart: (address, request) => uploadPart(store, address, request),
    UploadPartCopy: (address, request) => uploadPartCopy(store, address, request),
    CompleteMultipartUpload: (address, request) => completeUpload(store, address, request),
    AbortMultipartUpload: (address, request) => abortUpload(store, address, request),
    ListParts: (address, request) => listParts(store, address, request),
  };
}
