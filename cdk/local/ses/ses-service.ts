/** Amazon SES v2 behind the AWS endpoint: `SendEmail`. Its calls are known by their address, not by a header. */
import type { AwsResponse, UnsignedRequest } from '../endpoint/aws-service.ts';
import type { JsonError } from '../endpoint/json-protocol.ts';
import { JsonService } from '../endpoint/json-service.ts';
import { type Post, prepareMail } from './send-email.ts';

const PROTOCOL = { signingName: 'ses', product: 'SES', target: '', version: '1.1' } as const;
const OPERATIONS = { 'POST /v2/email/outbound-emails': prepareMail };
const JSON_TYPE = { 'content-type': 'application/json' };

export class SesService extends JsonService<Post> {
  constructor(post: Post) {
    super(PROTOCOL, OPERATIONS, post);
  }

  protected override operationIn({ method, path }: UnsignedRequest): string | undefined {
    // No bucket has a name of two characters.
    return path.startsWith('/v2/email/') ? `${method} ${path}` : undefined;
  }

  protected override succeeded(answer: object): AwsResponse {
    return { ...super.succeeded(answer), headers: JSON_TYPE };
  }

  protected override failed(error: JsonError): AwsResponse {
    const { headers, ...rest } = super.failed(error);
    return { ...rest, headers: { ...headers, ...JSON_TYPE } };
  }
}
