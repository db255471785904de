import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { fiveServices } from '../../../cdk/five-services.ts';
import type { Cloud, CloudOptions } from '../../../cdk/local/cloud.ts';
import type { LocalParameters } from '../../../cdk/local-parameters.ts';
import { type LocalApp, localApp } from '../../../cdk/start/local-app.ts';
import { silentSteps } from '../../../cdk/start/steps.ts';
import { addDemoTenant } from '../../../functions/accounts/commands/demo-tenant.dynamodb.ts';
import { managementToken } from '../../../functions/accounts/commands/managers.cognito.ts';
import { accountIdOf } from '../../../functions/accounts/tenants/account.ts';
import type { Deployment } from '../../../shared/command/deployment.cloudformation.ts';
import { checkDescribed } from '../contract/described-calls.ts';
import { clientOptions, startLocalCloud } from './local-cloud.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningService {
  readonly cloud: Cloud;
  /** A call of the HTTP API; the answer with its body as text, and parsed where it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says by its assertions what it expects in there
  call(path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; text: string; json: any }>;
  /** Calls below /v3 as the owner of a data token. */
  as(token: string): (path: string) => ReturnType<RunningService['call']>;
  /** A command of package.json, as a user runs it. */
  run(command: string, ...args: string[]): Promise<CommandResult>;
  /** A management bearer token, as `npm run token` prints them. */
  managementToken(tenant: string, as?: { readonly operator: boolean }): Promise<string>;
  close(): Promise<void>;
}

type ServiceOptions = Partial<Omit<CloudOptions, 'assemblyDir' | 'parameters'>> & {
  readonly parameters?: LocalParameters;
  /** Settings of a deployment, as after `--context`. @default those of a local run */
  readonly context?: Readonly<Record<string, string>>;
};

/** What `npm start` runs, for all tests of this process. */
let app: Promise<LocalApp> | undefined;

/** The service itself on a local cloud: the synthesized template, the bundled functions, and the demo tenant. */
export async function startService({ parameters, context, ...options }: ServiceOptions = {}): Promise<RunningService> {
  app ??= localApp(ROOT, silentSteps);
  const { assemblyDir, parameters: own } = await app;
  const cloud = await startLocalCloud({
    ...(context ? { app: (outdir) => appWith(context, outdir) } : { assemblyDir }),
    ...options,
    parameters: { ...own, ...parameters },
  });
  const awsPort = new URL(cloud.awsUrl).port;
  const deployment = deploymentOf(cloud);
  const service: RunningService = {
    cloud,
    async call(path, init = {}) {
      const answer = await fetch(`${cloud.apiUrl}${path}`, { redirect: 'manual', ...init });
      const text = await answer.text();
      checkDescribed(init.method ?? 'GET', path, { status: answer.status, headers: answer.headers, text });
      const isJson = text !== '' && answer.headers.get('content-type')?.includes('json');
      return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
    as: (token) => (path) => service.call(path, { headers: { authorization: basic(token) } }),
    run: (command, ...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(ROOT, command), ...args], {
          cwd: ROOT,
          env: { ...process.env, LOCAL_AWS_PORT: awsPort },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (text) => (stdout += text));
        child.stderr.on('data', (text) => (stderr += text));
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, stdout, stderr }));
      }),
    managementToken: (tenant, { operator } = { operator: false }) =>
      managementToken(deployment, { tenant: accountIdOf(tenant) ?? tenant, operator }),
    close: () => cloud.close(),
  };
  await addDemoTenant(deployment);
  return service;
}

/** The app with these settings. The sender of mails, if there is one, is verified. */
function appWith(context: Readonly<Record<string, string>>, outdir: string): App {
  const app = new App({ outdir, context: { ...context, stage: 'dev', local: true } });
  fiveServices(app);
  const { mailFrom } = context;
  if (mailFrom) new EmailIdentity(new Stack(app, 'mail'), 'Sender', { identity: Identity.email(mailFrom) });
  return app;
}

/** What commands find of the service. */
const deploymentOf = (cloud: Cloud): Deployment => ({
  client: clientOptions(cloud),
  output: (name) => cloud.outputs[name] ?? '',
  namesAfter: () => [],
});

export const basic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`;
