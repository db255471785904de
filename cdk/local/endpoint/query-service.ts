/** The frame of the services that speak AWS's Query protocol: a form comes in, XML goes out. */
import { randomUUID } from 'node:crypto';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission, Principal } from './aws-service.ts';
import { CallRefusal } from './call-refusal.ts';
import { type XmlContent, xmlText } from './xml-text.ts';

/** A call whose operation is known. */
export interface QueryCall {
  readonly permissions: readonly NeededPermission[];
  /** Runs once the permissions are given. */
  readonly answer: () => XmlContent;
}

interface QueryProtocol {
  readonly signingName: string;
  /** The name of the service in refusals: `SNS`. */
  readonly product: string;
  readonly namespace: string;
  readonly operations: Readonly<Record<string, (parameters: URLSearchParams, principal: Principal) => QueryCall>>;
}

export class QueryService implements AwsService {
  readonly signingName: string;
  private readonly protocol: QueryProtocol;

  constructor(protocol: QueryProtocol) {
    this.signingName = protocol.signingName;
    this.protocol = protocol;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    return this.callIn(request).permissions;
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    const action = actionIn(parametersOf(request));
    return this.xml(200, `${action}Response`, {
      [`${action}Result`]: this.callIn(request).answer(),
      ResponseMetadata: { RequestId: randomUUID() },
    });
  }

  error(status: number, code: string, message: string): AwsResponse {
    const Type = status < 500 ? 'Sender' : 'Receiver';
    return this.xml(status, 'ErrorResponse', {
      Error: { Type, Code: code, Message: message },
      RequestId: randomUUID(),
    });
  }

  private callIn(request: AwsRequest): QueryCall {
    const { product, operations } = this.protocol;
    const parameters = parametersOf(request);
    const action = actionIn(parameters);
    const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
    if (operation) return operation(parameters, request.principal);
    throw new CallRefusal(501, 'NotImplemented', `The local cloud does not have ${action} of ${product}.`);
  }

  private xml(status: number, root: string, content: XmlContent): AwsResponse {
    const body = `<${root} xmlns="${this.protocol.namespace}">${xmlText(content)}</${root}>`;
    return { status, headers: { 'content-type': 'text/xml' }, body };
  }
}

/** The parameters come as a form or in the query string. */
const parametersOf = ({ method, body, query }: AwsRequest) =>
  method === 'POST' ? new URLSearchParams(body.toString()) : query;

const actionIn = (parameters: URLSearchParams) => parameters.get('Action') ?? '';
