import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an account of AWS answers. Undefined: the caller may not read it. */
export interface AccountAnswers {
  readonly executions?: number;
  readonly unreserved?: number;
  /** By the code of a service, each on a page of its own. */
  readonly quotas?: Readonly<Record<string, readonly (readonly [name: string, value: number])[]>>;
  /** Undefined: the account is not bootstrapped. */
  readonly bootstrapVersion?: number;
  readonly isProduction?: boolean;
  readonly verified?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly errorType?: string;
}

const json = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });
const refusal = (status: number, errorType: string): Answer => ({
  status,
  errorType,
  body: JSON.stringify({ __type: errorType, message: errorType }),
});
const DENIED = refusal(403, 'AccessDeniedException');

/** Stands in for AWS on the loopback: answers the calls that read an account, and notes every call by its name. */
export async function startAwsAccount(answers: AccountAnswers) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body, errorType } = answerTo(request, Buffer.concat(chunks).toString());
      response.writeHead(status, errorType === undefined ? {} : { 'x-amzn-errortype': errorType }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function answerTo({ method, url = '', headers }: IncomingMessage, body: string): Answer {
    const target = String(headers['x-amz-target'] ?? '');
    calls.push(target || new URLSearchParams(body).get('Action') || `${method} ${url}`);
    if (target.endsWith('.ListServiceQuotas')) return quotas(JSON.parse(body));
    if (body.includes('Action=DescribeStacks')) return bootstrapStack(answers.bootstrapVersion);
    if (url.includes('/account-settings')) return limits();
    if (url.endsWith('/email/account')) return json({ ProductionAccessEnabled: answers.isProduction ?? false });
    const [, identity] = /\/email\/identities\/(.+)$/.exec(url) ?? [];
    if (identity === undefined) return refusal(404, 'UnknownOperationException');
    if (!answers.verified?.includes(decodeURIComponent(identity))) return refusal(404, 'NotFoundException');
    return json({ VerifiedForSendingStatus: true });
  }

  function limits(): Answer {
    const { executions, unreserved = executions } = answers;
    if (executions === undefined) return DENIED;
    return json({ AccountLimit: { ConcurrentExecutions: executions, UnreservedConcurrentExecutions: unreserved } });
  }

  function quotas({ ServiceCode: code, NextToken: at = '0' }: { ServiceCode: string; NextToken?: string }): Answer {
    const all = answers.quotas?.[code];
    if (all === undefined) return DENIED;
    const [QuotaName, Value] = all[Number(at)] ?? [];
    const next = Number(at) + 1;
    return json({ Quotas: [{ QuotaName, Value }], ...(next < all.length && { NextToken: String(next) }) });
  }

  return {
    calls: calls as readonly string[],
    /** The environment of a process that calls this account. */
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    close: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function bootstrapStack(version: number | undefined): Answer {
  const xmlns = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';
  if (version === undefined) {
    const message = 'Stack with id CDKToolkit does not exist';
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error>`;
    return { status: 400, body: `<ErrorResponse ${xmlns}>${error}</ErrorResponse>` };
  }
  const output = `<Outputs><member><OutputKey>BootstrapVersion</OutputKey><OutputValue>${version}</OutputValue></member></Outputs>`;
  const stack = `<StackName>CDKToolkit</StackName><CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>${output}`;
  const result = `<DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult>`;
  return { status: 200, body: `<DescribeStacksResponse ${xmlns}>${result}</DescribeStacksResponse>` };
}
