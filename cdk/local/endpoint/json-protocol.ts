/** Errors of the services that speak AWS's JSON protocols. */
import type { AwsResponse } from './aws-service.ts';

/** The names under which JSON services know what S3 calls otherwise. */
const JSON_CODES = new Map([
  ['AccessDenied', 'AccessDeniedException'],
  ['AuthorizationHeaderMalformed', 'IncompleteSignatureException'],
  ['InternalError', 'InternalServerError'],
  ['InvalidAccessKeyId', 'UnrecognizedClientException'],
  ['InvalidToken', 'UnrecognizedClientException'],
  ['RequestTimeTooSkewed', 'InvalidSignatureException'],
  ['SignatureDoesNotMatch', 'InvalidSignatureException'],
]);

export interface JsonError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** True if the service chose the code itself. @default false: the endpoint did, in the words of S3 */
  readonly isOwnCode?: boolean;
  /** The version of the service's protocol. */
  readonly version?: '1.0' | '1.1';
  /** Put before the code, as `com.amazonaws.sqs`. */
  readonly namespace?: string;
}

export function jsonError({
  status,
  code,
  message,
  isOwnCode = false,
  version = '1.0',
  namespace,
}: JsonError): AwsResponse {
  const name = (isOwnCode ? undefined : JSON_CODES.get(code)) ?? code;
  return {
    status,
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-errortype': name },
    body: JSON.stringify({ __type: namespace ? `${namespace}#${name}` : name, message }),
  };
}
