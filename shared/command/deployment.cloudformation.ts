import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateDescribeStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { variable } from '../env.ts';

/** The service that a command calls: the outputs of its stacks, and the client of their account. */
export interface Deployment {
  /**
   * Settings for every AWS client. Empty for a deployed stage: the SDK then takes region and credentials from its usual
   * sources.
   */
  readonly client: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  output(name: string): string;
  /** The names of the outputs with this prefix, without the prefix. */
  namesAfter(prefix: string): string[];
}

/** A deployed stage, or, without a name, the local run whose AWS endpoint listens on `LOCAL_AWS_PORT` (4566). */
export async function findDeployment(stage: string | undefined): Promise<Deployment> {
  const client: Deployment['client'] = stage === undefined ? localClient() : {};
  const named = `five-services-${stage ?? 'dev'}`;
  const notFound = (cause?: unknown) =>
    new Error(
      `The service does not answer at ${client.endpoint ?? `AWS, stacks ${named}-…`}. ${stage ? 'Is it deployed, in this region and account?' : 'Start it with npm start.'}`,
      { cause },
    );
  const stacks = await stacksOf(client, named)
    .catch(regionNamed)
    .catch((cause: unknown) => {
      throw cause instanceof RegionMissing ? cause : notFound(cause);
    });
  if (stacks.length === 0) throw notFound();
  const outputs = new Map(
    stacks.flatMap(({ Outputs: all = [] }) => all.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
  );
  return {
    client,
    output(name) {
      const value = outputs.get(name);
      if (value === undefined) throw new Error(`The stacks ${named}-… have no output ${name}.`);
      return value;
    },
    namesAfter: (prefix) =>
      [...outputs.keys()].flatMap((name) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])).toSorted(),
  };
}

/** The names of the stacks of a stage that are deployed in the account and region of the environment. */
export async function deployedStacks(stage: string): Promise<string[]> {
  const stacks = await stacksOf({}, `five-services-${stage}`).catch(regionNamed);
  return stacks.map(({ StackName: name = '' }) => name);
}

/** The template of a deployed stack, as text. */
export async function deployedTemplate(stackName: string): Promise<string> {
  const { TemplateBody } = await new CloudFormationClient({}).send(new GetTemplateCommand({ StackName: stackName }));
  if (TemplateBody === undefined) throw new Error(`CloudFormation has no template of ${stackName}.`);
  return TemplateBody;
}

/** The stacks of a stage: each name is that of the stage and one word more. */
async function stacksOf(client: Deployment['client'], named: string): Promise<Stack[]> {
  const cloudFormation = new CloudFormationClient({ ...client, maxAttempts: 2 });
  const stacks: Stack[] = [];
  for await (const page of paginateDescribeStacks({ client: cloudFormation }, {})) stacks.push(...(page.Stacks ?? []));
  return stacks.filter(
    ({ StackName: name = '' }) => name.startsWith(`${named}-`) && /^[a-z]+$/.test(name.slice(named.length + 1)),
  );
}

class RegionMissing extends Error {}

/** Replaces the message of the SDK, which does not say how to set the region. */
function regionNamed(cause: unknown): never {
  if (!(cause instanceof Error) || !/region is missing/i.test(cause.message)) throw cause;
  throw new RegionMissing('Name the region of the deployment: set AWS_REGION.', { cause });
}

const localClient = () => ({
  endpoint: `http://127.0.0.1:${variable('LOCAL_AWS_PORT') ?? '4566'}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
