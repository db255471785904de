/** An AWS endpoint of the local cloud for tests: in memory, on a free port, with a clock that the test may move. */
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { Clock } from '../../../cdk/local/clock.ts';
import { authorizationOf, Engine, SIGNED_AT } from '../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine, type RunningEngine } from '../../../cdk/local/dynamodb/engine-choice.ts';
import {
  type Credentials,
  type Endpoint,
  type EndpointOptions,
  startEndpoint,
} from '../../../cdk/local/endpoint/endpoint.ts';
import type { PolicyDocument } from '../../../cdk/local/iam/policy-document.ts';
import { ownTables } from './own-tables.ts';

export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';

export interface LocalEndpoint extends Endpoint {
  /** Moves the clock of the endpoint; SDKs still sign with the machine's clock. */
  advance(milliseconds: number): void;
  /** The options of an SDK client that calls this endpoint, as the account's owner or with other credentials. */
  clientOptions(credentials?: Credentials): ClientOptions;
  /**
   * The options of a DynamoDB client that calls the engine behind the endpoint: a call takes half of the processor time.
   * Signatures and permissions are the endpoint's, which has its own tests.
   */
  tableOptions(): DynamoDBClientConfig;
  /** A function's role with these policies, and its credentials. */
  role(name: string, ...policies: PolicyDocument[]): Credentials;
}

interface ClientOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  readonly maxAttempts: number;
  readonly requestHandler?: object;
}

/** A call may take as long as the machine needs: a process that gets no processor for a second has not lost it. */
export const PATIENT = { connectionTimeout: 120_000, requestTimeout: 120_000 };

export async function startLocalEndpoint(options: Partial<EndpointOptions> = {}): Promise<LocalEndpoint> {
  const clock = options.clock ?? new Clock();
  const { dataDir = null } = options;
  const { dynamodb: shared } = ownTables(dataDir);
  const ownEngine = dataDir === null && !shared ? await Engine.start(chosenEngine(process.env), null) : undefined;
  const running = shared ?? (ownEngine && { url: ownEngine.url });
  const endpoint = await startEndpoint({
    port: 0,
    dataDir,
    region: REGION,
    accountId: ACCOUNT_ID,
    clock,
    ...(running && { dynamodb: running }),
    // Its clients try once, so calls fail only as the test asks; LOCAL_AWS_LIKE reaches the tests of the whole service.
    like: new Set(),
    ...options,
  });
  const close = endpoint.close.bind(endpoint);
  const own = {
    advance(milliseconds: number) {
      clock.advance(milliseconds);
    },
    clientOptions(credentials: Credentials = endpoint.root): ClientOptions {
      // One attempt: a test wants to see the first answer.
      return { endpoint: endpoint.url, region: REGION, credentials, maxAttempts: 1, requestHandler: PATIENT };
    },
    tableOptions(): DynamoDBClientConfig {
      if (!running) return own.clientOptions();
      return {
        endpoint: running.url,
        region: REGION,
        credentials: endpoint.root,
        maxAttempts: 1,
        requestHandler: PATIENT,
        signer: unsigned(running),
      };
    },
    async close() {
      await close();
      await ownEngine?.close();
    },
    role(name: string, ...policies: PolicyDocument[]): Credentials {
      const credentials = {
        accessKeyId: `KEY${name}`,
        secretAccessKey: `secret of ${name}`,
        sessionToken: `token of ${name}`,
      };
      endpoint.addIdentity({
        ...credentials,
        principal: { kind: 'role', arn: `arn:aws:iam::${ACCOUNT_ID}:role/${name}` },
        policies,
      });
      return credentials;
    },
  };
  // Not spread: the endpoint's methods live on its class.
  return Object.assign(endpoint, own);
}

/** The engines want a signature and look at none. */
function unsigned({ accessKeyId = 'local' }: RunningEngine): NonNullable<DynamoDBClientConfig['signer']> {
  const authorization = authorizationOf(accessKeyId);
  return {
    sign: (request) => {
      Object.assign(request.headers, { authorization, 'x-amz-date': SIGNED_AT });
      return Promise.resolve(request);
    },
  };
}

/** A policy that allows these actions on these resources. */
export function allowing(
  actions: string | string[],
  resources: string | string[],
  condition?: Condition,
): PolicyDocument {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resources, Condition: condition }],
  };
}

export type Condition = Record<string, Record<string, string | string[]>>;
