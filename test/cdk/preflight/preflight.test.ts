import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accountFacts } from '../../../cdk/preflight/account-facts.ts';
import {
  type AccountFacts,
  type Check,
  checksOf,
  checkTable,
  needsOf,
  type StageNeeds,
} from '../../../cdk/preflight/preflight.ts';
import { settingsOf } from '../../../cdk/settings.ts';
import type { StageStack } from '../../../cdk/stage-stacks.ts';
import { type AccountAnswers, startAwsAccount } from '../../support/cloud/aws-account.ts';
import { stacksOf } from '../../support/cloud/templates-only.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const README = readFileSync(join(ROOT, 'cdk', 'README.md'), 'utf8');

/** A stage of prod without domains of its own is synthesized in a moment. */
const SMALL = ['--stage', 'prod', '--context', 'domains=accounts', '--context', 'mailFrom=post@example.com'];
const ENOUGH: AccountAnswers = {
  executions: 1_000,
  quotas: {
    apigateway: [
      ['Resources per API', 300],
      ['Throttle rate', 10_000],
      ['Throttle burst rate', 5_000],
    ],
    states: [['StateTransition throttle token refill rate per second', 800]],
  },
  bootstrapVersion: 30,
  isProduction: true,
  verified: ['example.com'],
};

/** Runs the command in an account with these answers. */
async function preflight(answers: AccountAnswers) {
  const account = await startAwsAccount(answers);
  try {
    const outcome = await new Promise<{ code: unknown; printed: string }>((resolve) => {
      const command = [join('cdk', 'preflight', 'preflight.command.ts'), ...SMALL];
      const env = { ...process.env, ...account.env };
      execFile(process.execPath, command, { cwd: ROOT, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
      );
    });
    return { ...outcome, calls: account.calls };
  } finally {
    await account.close();
  }
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The table that the command prints for a stage with these needs. */
async function tableIn(answers: AccountAnswers, needs: StageNeeds): Promise<string> {
  const account = await startAwsAccount(answers);
  try {
    for (const [name, value] of Object.entries(account.env)) vi.stubEnv(name, value);
    return checkTable(checksOf(needs, await accountFacts(needs.mailFrom)));
  } finally {
    await account.close();
  }
}

describe('npm run preflight', () => {
  it('ends with 0 in an account that has enough, and only reads', async () => {
    const { code, printed, calls } = await preflight(ENOUGH);
    expect({ code, printed }).toEqual({ code: 0, printed: expect.not.stringMatching(/short|unknown/) });
    expect(printed).toContain('| Region | the region of the deployment | eu-central-1 | enough |');
    expect(printed).toContain('| API Gateway: burst | 4000 | 5000 | enough |');
    expect(printed).toContain('| SES: sender post@example.com | verified | verified | enough |');
    const reads = /^(GET |DescribeStacks$|ServiceQuotasV20190624\.ListServiceQuotas$)/;
    expect(calls.filter((call) => !reads.test(call))).toEqual([]);
    expect(calls.length).toBeGreaterThan(5);
  });

  it('ends with 1 in a new account, and names all that is short', async () => {
    const { code, printed } = await preflight({
      executions: 10,
      quotas: { apigateway: [['Throttle rate', 1_000]], states: [['Other', 1]] },
      verified: [],
    });
    expect(code).toBe(1);
    expect(printed).toMatch(/^\| Lambda: executions at once \| \d+ \| 10 \| short \|$/m);
    expect(printed).toContain('| API Gateway: requests a second | 2000 | 1000 | short |');
    expect(printed).toContain('| API Gateway: burst | 4000 | not known | unknown |');
    expect(printed).toMatch(/^\| CDK bootstrap: version \| \d+ \| 0 \| short \|$/m);
    expect(printed).toContain('| SES: sender post@example.com | verified | not verified | short |');
    expect(printed).toContain('| SES: sandbox | left | not left | short |');
  });
});

const NEED: StageNeeds = {
  executions: 700,
  reserved: 200,
  apiRatePerSecond: 1,
  apiBurst: 1,
  transitionsPerSecond: 300,
  bootstrapVersion: 6,
  mailFrom: '',
};
const verdictOf = (checks: readonly Check[], what: string) => checks.find((check) => check.what === what)?.verdict;
const facts = (some: Partial<AccountFacts>): AccountFacts => ({ region: 'us-east-1', ...some });

describe('the checks', () => {
  it('say what the caller may not read, and call it neither enough nor short', async () => {
    const table = await tableIn(
      { bootstrapVersion: 30, isProduction: true, verified: ['post@example.com'] },
      { ...NEED, mailFrom: 'post@example.com' },
    );
    expect(table.match(/not known \| unknown/g)).toHaveLength(5);
    expect(table).not.toContain('short');
  });

  it('leave a hundred executions unreserved, also beside what others have reserved', () => {
    const left = (executions: number, unreservedExecutions: number) =>
      verdictOf(checksOf(NEED, facts({ executions, unreservedExecutions })), 'Lambda: executions left unreserved');
    expect([left(300, 300), left(299, 299), left(1_000, 99)]).toEqual(['enough', 'short', 'short']);
  });

  it('compare transitions with the receipts that are examined at once', () => {
    const of = (transitionsPerSecond: number) =>
      verdictOf(checksOf(NEED, facts({ transitionsPerSecond })), 'Step Functions: transitions a second');
    expect([of(300), of(299)]).toEqual(['enough', 'short']);
  });
});

describe('the needs of a stage', () => {
  it('count the workers of its queues, its API and its reservations, each once', () => {
    const settings = settingsOf(
      new App({ context: { stage: 'dev', reservedConcurrency: 'records/import/import-records=7' } }),
    );
    const stack: StageStack = {
      requiresBootstrapStackVersion: 6,
      template: {
        Resources: {
          Import: { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: 7 } },
          Deliver: { Type: 'AWS::Lambda::Function', Properties: {} },
          a: mapping('Import', 2),
          b: mapping('Deliver', 8),
        },
      },
    };
    // 200 requests a second of 50 ms each.
    expect(needsOf(settings, [stack])).toMatchObject({ executions: 8 + 7 + 10, reserved: 7, bootstrapVersion: 6 });
  });

  it.each(['dev', 'prod'] as const)('of %s are the workers that the guide counts, and the API', (stage) => {
    const [, workers = ''] = new RegExp(`^ *\\| ${stage} (?:\\| \\d+ ){11}\\| (\\d+) \\|$`, 'm').exec(README) ?? [];
    const settings = settingsOf(new App({ context: { stage, alarmsTo: 'nobody' } }));
    const ofApi = settings.apiRatePerSecond * 0.05;
    expect(needsOf(settings, stacksOf(stage)).executions).toBe(Number(workers) + ofApi);
  });
});

function mapping(worker: string, most: number) {
  const Properties = { FunctionName: { Ref: worker }, ScalingConfig: { MaximumConcurrency: most } };
  return { Type: 'AWS::Lambda::EventSourceMapping', Properties };
}
