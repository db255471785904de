/**
 * Compares what a stage needs of its account with what the account has. `preflight.command.ts` ends with 1 if something is
 * short, which stops the deployment workflow; `npm run deploy` does not call it.
 */
import type { BilledTemplate } from '../cost/idle-bill.ts';
import type { Settings } from '../settings.ts';
import type { StageStack } from '../stage-stacks.ts';

/** The needs of a stage, to compare with an account. */
export interface StageNeeds {
  /** Workers of queues, functions of the API, and reservations, all busy. */
  readonly executions: number;
  /** The executions among them that are reserved for single functions. */
  readonly reserved: number;
  readonly apiRatePerSecond: number;
  readonly apiBurst: number;
  readonly transitionsPerSecond: number;
  readonly bootstrapVersion: number;
  /** Empty where the stage sends no mail. */
  readonly mailFrom: string;
}

/** The answers of AWS. Undefined is what the caller may not read, or what AWS does not list. */
export interface AccountFacts {
  readonly region: string;
  readonly executions?: number | undefined;
  readonly unreservedExecutions?: number | undefined;
  readonly apiRatePerSecond?: number | undefined;
  readonly apiBurst?: number | undefined;
  readonly transitionsPerSecond?: number | undefined;
  /** 0 where the account is not bootstrapped. */
  readonly bootstrapVersion?: number | undefined;
  readonly mail?: { readonly isInSandbox: boolean; readonly isVerified: boolean } | undefined;
}

export interface Check {
  readonly what: string;
  readonly need: string;
  readonly have: string;
  readonly verdict: 'enough' | 'short' | 'unknown';
}

/** The usual duration of a request. A function handles one at a time. */
const REQUEST_SECONDS = 0.05;
/** Lambda refuses reservations that would leave less. */
const UNRESERVED_MIN = 100;
/** The duration of an examination, and its transitions in the state machine (functions/images/README.md). */
const EXAMINATION_SECONDS = 3.46;
const TRANSITIONS = 9;

/** Counts the needs of a stage from its settings and templates. */
export function needsOf(settings: Settings, stacks: readonly StageStack[]): StageNeeds {
  const reserved = Object.values(settings.reservedConcurrency).reduce((sum, count) => sum + count, 0);
  const workers = stacks.reduce((sum, { template }) => sum + unreservedWorkers(template), 0);
  const { apiRatePerSecond, apiBurst, examinations, mailFrom, domains } = settings;
  return {
    executions: workers + reserved + Math.ceil(apiRatePerSecond * REQUEST_SECONDS),
    reserved,
    apiRatePerSecond,
    apiBurst,
    transitionsPerSecond: domains.includes('images')
      ? Math.ceil((examinations / EXAMINATION_SECONDS) * TRANSITIONS)
      : 0,
    bootstrapVersion: Math.max(...stacks.map(({ requiresBootstrapStackVersion = 0 }) => requiresBootstrapStackVersion)),
    mailFrom,
  };
}

/** The most that queues run at the same time, of functions without a reservation. */
function unreservedWorkers({ Resources }: BilledTemplate): number {
  return Object.values(Resources).reduce((sum, { Type, Properties = {} }) => {
    if (Type !== 'AWS::Lambda::EventSourceMapping') return sum;
    const worker = Resources[Properties['FunctionName']?.Ref]?.Properties ?? {};
    const most: number = Properties['ScalingConfig']?.MaximumConcurrency ?? 0;
    return worker['ReservedConcurrentExecutions'] === undefined ? sum + most : sum;
  }, 0);
}

/** Returns a check for everything that the stage needs. */
export function checksOf(need: StageNeeds, have: AccountFacts): Check[] {
  const { executions, unreservedExecutions, mail } = have;
  const rest =
    executions === undefined || unreservedExecutions === undefined
      ? undefined
      : Math.min(executions - need.reserved, unreservedExecutions);
  return [
    { what: 'Region', need: 'the region of the deployment', have: have.region, verdict: 'enough' },
    atLeast('Lambda: executions at once', need.executions, executions),
    ...(need.reserved > 0 ? [atLeast('Lambda: executions left unreserved', UNRESERVED_MIN, rest)] : []),
    atLeast('API Gateway: requests a second', need.apiRatePerSecond, have.apiRatePerSecond),
    atLeast('API Gateway: burst', need.apiBurst, have.apiBurst),
    ...(need.transitionsPerSecond > 0
      ? [atLeast('Step Functions: transitions a second', need.transitionsPerSecond, have.transitionsPerSecond)]
      : []),
    atLeast('CDK bootstrap: version', need.bootstrapVersion, have.bootstrapVersion),
    ...(need.mailFrom === ''
      ? []
      : [
          state(`SES: sender ${need.mailFrom}`, ['verified', 'not verified'], mail?.isVerified),
          // In the sandbox, SES sends mail to verified addresses only.
          state('SES: sandbox', ['left', 'not left'], mail && !mail.isInSandbox),
        ]),
  ];
}

const atLeast = (what: string, need: number, have: number | undefined): Check => ({
  what,
  need: String(need),
  have: have === undefined ? 'not known' : String(have),
  verdict: have === undefined ? 'unknown' : have >= need ? 'enough' : 'short',
});

const state = (what: string, [yes, no]: readonly [string, string], holds: boolean | undefined): Check => ({
  what,
  need: yes,
  have: holds === undefined ? 'not known' : holds ? yes : no,
  verdict: holds === undefined ? 'unknown' : holds ? 'enough' : 'short',
});

/** The checks as a table in Markdown. */
export const checkTable = (checks: readonly Check[]): string =>
  [['what', 'need', 'have', 'verdict'], ['---', '---', '---', '---'], ...checks.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const cellsOf = ({ what, need, have, verdict }: Check) => [what, need, have, verdict];
