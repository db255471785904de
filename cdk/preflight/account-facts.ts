import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { AccountFacts } from './preflight.ts';

/** The stack that `cdk bootstrap` makes. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** Quotas by their names in Service Quotas. */
const API_RATE = /^Throttle rate\b/i;
const API_BURST = /^Throttle burst rate\b/i;
const TRANSITIONS = /StateTransition.*(refill rate|per second)/i;

/** Asks the account and region of the environment; every call reads. @param mailFrom the sender of mails, or '' */
export async function accountFacts(mailFrom: string): Promise<AccountFacts> {
  const lambda = new LambdaClient({});
  const region = await lambda.config.region().catch((cause: unknown) => {
    throw new Error('Name the region of the deployment: set AWS_REGION.', { cause });
  });
  const [limits, api, steps, bootstrapVersion, mail] = await Promise.all([
    allowed(lambda.send(new GetAccountSettingsCommand({}))),
    allowed(quotasOf('apigateway')),
    allowed(quotasOf('states')),
    allowed(bootstrapVersionOf()),
    mailFrom === '' ? undefined : allowed(mailFacts(mailFrom)),
  ]);
  return {
    region,
    executions: limits?.AccountLimit?.ConcurrentExecutions,
    unreservedExecutions: limits?.AccountLimit?.UnreservedConcurrentExecutions,
    apiRatePerSecond: valueOf(api, API_RATE),
    apiBurst: valueOf(api, API_BURST),
    transitionsPerSecond: valueOf(steps, TRANSITIONS),
    bootstrapVersion,
    mail,
  };
}

/** Returns nothing for what the caller may not read. All other errors are thrown. */
async function allowed<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name.startsWith('AccessDenied')) return undefined;
    throw error;
  }
}

type Quotas = ReadonlyMap<string, number>;

async function quotasOf(ServiceCode: string): Promise<Quotas> {
  const quotas = new Map<string, number>();
  for await (const page of paginateListServiceQuotas({ client: new ServiceQuotasClient({}) }, { ServiceCode })) {
    for (const { QuotaName = '', Value = 0 } of page.Quotas ?? []) quotas.set(QuotaName, Value);
  }
  return quotas;
}

const valueOf = (quotas: Quotas | undefined, name: RegExp) =>
  [...(quotas ?? [])].find(([quota]) => name.test(quota))?.[1];

async function bootstrapVersionOf(): Promise<number> {
  try {
    const { Stacks = [] } = await new CloudFormationClient({}).send(
      new DescribeStacksCommand({ StackName: BOOTSTRAP_STACK }),
    );
    const version = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
    return Number(version ?? 0);
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return 0;
    throw error;
  }
}

/** An address may be sent from if it is verified, or its domain is. */
async function mailFacts(address: string) {
  const ses = new SESv2Client({});
  const { ProductionAccessEnabled: isProduction = false } = await ses.send(new GetAccountCommand({}));
  const domain = address.slice(address.indexOf('@') + 1);
  const verified = await Promise.all([isVerified(ses, address), isVerified(ses, domain)]);
  return { isInSandbox: !isProduction, isVerified: verified.includes(true) };
}

async function isVerified(ses: SESv2Client, EmailIdentity: string): Promise<boolean> {
  try {
    return (await ses.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return false;
    throw error;
  }
}
