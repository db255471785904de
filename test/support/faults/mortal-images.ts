/** Image validations of an `npm start` that is killed again and again, and always finds its data folder as it left it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  type ExecutionListItem,
  GetExecutionHistoryCommand,
  ListStateMachinesCommand,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { awardCounts } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { killed, npmStart, ready, type StartedProcess } from '../cloud/npm-start.ts';
import { imageService } from '../images/image-service.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export type MortalImages = Awaited<ReturnType<typeof startMortalImages>>;

export async function startMortalImages() {
  const folder = mkdtempSync(join(tmpdir(), 'mortal-images-'));
  let running: StartedProcess;
  let urls: Awaited<ReturnType<typeof ready>>;

  async function start(): Promise<void> {
    running = npmStart({ LOCAL_DATA_DIR: folder, LOCAL_DEMO: '0' });
    urls = await ready(running);
  }
  await start();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const clientOptions = () => ({ endpoint: urls.awsUrl, region: 'us-east-1', credentials });

  async function call(path: string, init: RequestInit = {}) {
    const answer = await fetch(`${urls.apiUrl}${path}`, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }
  const token = await managementToken(new URL(urls!.awsUrl).port);

  async function executions(): Promise<ExecutionListItem[]> {
    const client = new SFNClient(clientOptions());
    const { stateMachines: [machine] = [] } = await client.send(new ListStateMachinesCommand({}));
    const all: ExecutionListItem[] = [];
    const pages = paginateListExecutions({ client }, { stateMachineArn: machine?.stateMachineArn });
    for await (const page of pages) all.push(...(page.executions ?? []));
    return all;
  }

  return {
    images: imageService({ call }, token),

    /** Ends the process at once, wherever it is, and starts it again. */
    async dies(): Promise<void> {
      await killed(running);
      await start();
    },

    async close(): Promise<void> {
      await killed(running);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },

    executions,

    /** Names of the states that the execution has entered, in order. */
    async statesOf({ executionArn }: ExecutionListItem): Promise<string[]> {
      const command = new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 });
      const { events = [] } = await new SFNClient(clientOptions()).send(command);
      return events.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []);
    },

    /** The number of awards that the campaign, which has a limit, has counted. */
    async awards(permalink: string): Promise<number | null> {
      const stacks = await new CloudFormationClient(clientOptions()).send(new DescribeStacksCommand({}));
      const outputs = stacks.Stacks?.flatMap(({ Outputs: some = [] }) => some) ?? [];
      const name = outputs.find(({ OutputKey: key }) => key === 'ImagesTable')?.OutputValue ?? '';
      const { json } = await call(`/manage/v1/loyalty/campaigns/${permalink}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const table = { name, client: dynamoDbClient(clientOptions()) };
      return (await awardCounts(table, { tenant: 'demo', campaignId: json.id, maxAwards: json.maxAwards }, '')).total;
    },
  };
}

async function managementToken(LOCAL_AWS_PORT: string): Promise<string> {
  const command = join(ROOT, 'functions', 'accounts', 'commands', 'token.command.ts');
  const child = spawn(process.execPath, [command, '--tenant', 'demo'], {
    cwd: ROOT,
    env: { ...process.env, LOCAL_AWS_PORT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text) => (printed += text));
  await once(child, 'close');
  return printed.trim();
}
