/** Amazon SES v2 behind the AWS endpoint: `SendEmail`. */
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { jsonBody } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { type Post, type PreparedMail, prepareMail } from './send-email.ts';

export class SesService implements AwsService {
  readonly signingName = 'ses';
  private readonly post: Post;

  constructor(post: Post) {
    this.post = post;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.prepared(request).permissions;
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const body = JSON.stringify(this.prepared(request).send());
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  error(status: number, code: string, message: string): AwsResponse {
    const { headers, ...rest } = jsonError({ status, code, message });
    return { ...rest, headers: { ...headers, 'content-type': 'application/json' } };
  }

  private prepared({ method, path, body }: AwsRequest): PreparedMail {
    if (method !== 'POST' || path !== '/v2/email/outbound-emails') {
      throw new CallRefusal(501, 'NotImplemented', `The local cloud does not have ${method} ${path} of SES.`);
    }
    return prepareMail(this.post, jsonBody(body));
  }
}
