import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { variable } from './env.ts';

/** Where a command finds the service: the outputs of its stack, and how to reach the account they live in. */
export interface Deployment {
  /** Settings for every AWS client. Empty for a deployed stage: the SDK then takes region and credentials from where it always does. */
  readonly client: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  output(name: string): string;
  /** The names of outputs that begin so, without that beginning. */
  namesAfter(prefix: string): string[];
}

/** A deployed stage, or, without a name, the local run whose AWS endpoint listens on `LOCAL_AWS_PORT` (4566). */
export async function findDeployment(stage: string | undefined): Promise<Deployment> {
  const client: Deployment['client'] = stage === undefined ? localClient() : {};
  const stack = `five-services-${stage ?? 'dev'}`;
  const { Stacks: stacks = [] } = await new CloudFormationClient({ ...client, maxAttempts: 2 })
    .send(new DescribeStacksCommand({ StackName: stack }))
    .catch((cause: unknown) => {
      const where = client.endpoint ?? `AWS, stack ${stack}`;
      throw new Error(
        `The service does not answer at ${where}. ${stage ? 'Is it deployed?' : 'Start it with npm start.'}`,
        {
          cause,
        },
      );
    });
  const outputs = new Map(stacks[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  return {
    client,
    output(name) {
      const value = outputs.get(name);
      if (value === undefined) throw new Error(`Stack ${stack} has no output ${name}.`);
      return value;
    },
    namesAfter: (prefix) =>
      [...outputs.keys()].flatMap((name) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])).toSorted(),
  };
}

const localClient = () => ({
  endpoint: `http://127.0.0.1:${variable('LOCAL_AWS_PORT') ?? '4566'}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
