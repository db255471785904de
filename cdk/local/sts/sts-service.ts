/** AWS STS, as far as tools ask for their identity: `aws sts get-caller-identity`. */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

export class SecurityTokenService implements AwsService {
  readonly signingName = 'sts';
  private readonly accountId: string;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  /** AWS needs no permission for this. */
  permissionsOf(): readonly NeededPermission[] {
    return [];
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const parameters = request.method === 'POST' ? new URLSearchParams(request.body.toString()) : request.query;
    const action = parameters.get('Action') ?? '';
    if (action !== 'GetCallerIdentity') {
      return this.error(501, 'NotImplemented', `The local cloud answers GetCallerIdentity of STS, not ${action}.`);
    }
    const { arn } = request.principal;
    const userId = request.principal.kind === 'root' ? this.accountId : `AROA:${arn.split('/').at(-1)}`;
    return xml(
      200,
      `<GetCallerIdentityResponse xmlns="${NAMESPACE}"><GetCallerIdentityResult><Arn>${escaped(arn)}</Arn>` +
        `<UserId>${escaped(userId)}</UserId><Account>${this.accountId}</Account></GetCallerIdentityResult>` +
        `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
    );
  }

  error(status: number, code: string, message: string): AwsResponse {
    const fault = status < 500 ? 'Sender' : 'Receiver';
    return xml(
      status,
      `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${fault}</Type><Code>${escaped(code)}</Code>` +
        `<Message>${escaped(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    );
  }
}

function xml(status: number, body: string): AwsResponse {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
