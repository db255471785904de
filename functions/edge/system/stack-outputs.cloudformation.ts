import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { callLimits } from '#shared/quotas/call-limits';
import type { StackOutputs } from './system-parts.ts';

/** The outputs of these stacks. One that is not deployed, or not yet, is left out. */
export async function outputsOf(
  stacks: readonly string[],
  client: CloudFormationClient = ownClient(),
): Promise<StackOutputs[]> {
  const described = await Promise.all(stacks.map((stack) => describedStack(client, stack)));
  return described.flatMap((stack) => stack ?? []);
}

async function describedStack(client: CloudFormationClient, stack: string): Promise<StackOutputs | undefined> {
  try {
    const { Stacks: [description] = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = description?.Outputs?.map(
      ({ OutputKey: key = '', OutputValue: value = '' }) => [key, value] as const,
    );
    return { stack, outputs: new Map(outputs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** CloudFormation has no code for it. */
const isMissing = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === 'ValidationError' &&
  error.message.endsWith('does not exist');

let client: CloudFormationClient | undefined;
const ownClient = () => (client ??= new CloudFormationClient({ maxAttempts: 4, requestHandler: callLimits(3_000) }));
