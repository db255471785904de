/** The contract between the AWS endpoint and the services behind it. A later service is one more of these. */

/** The caller: the account's owner, a function's role, or a service of the local cloud acting for a resource. */
export interface Principal {
  /** `root` may do everything; a role is checked against its policies. */
  readonly kind: 'root' | 'role';
  readonly arn: string;
}

/** A request whose signature has been verified, or one that its service answers without any. */
export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly principal: Principal;
}

/** The members of a request that can be read before its signature is verified. */
export type UnsignedRequest = Pick<AwsRequest, 'method' | 'path' | 'headers'>;

export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** One permission that a call needs, checked before the service sees the call. */
export interface NeededPermission {
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** The ARN of the resource, `*` for actions without one. */
  readonly resource: string;
  /** Values of condition keys that this call sets, for example `dynamodb:LeadingKeys`. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

export interface AwsService {
  /** The service name of the credential scope: `dynamodb`, `s3`, `sqs`, `events`, `cloudformation`, … */
  readonly signingName: string;
  permissionsOf(request: AwsRequest): readonly NeededPermission[];
  /**
   * Returns whether AWS answers this without a signature. It is called for unsigned requests only, also for those that
   * are meant for another service.
   * @default nothing is public
   */
  isPublic?(request: UnsignedRequest): boolean;
  /**
   * Returns whether a call without a signature is meant for this service, which then words the refusal.
   * @default no call is known by its head
   */
  isMeantBy?(request: UnsignedRequest): boolean;
  handle(request: AwsRequest): Promise<AwsResponse>;
  /** This service's own shape of an error, for refusals made before `handle`. */
  error(status: number, code: string, message: string, request: AwsRequest): AwsResponse;
}
