/** What AWS charges for an image validation, from what was counted of it. */
import type { Entry } from '../costs/aws-ledger.ts';
import { type Charge, twoDecimals, writesOf } from '../costs/charges.ts';
import { accessLine, FUNCTION_LINES, requestLine } from '../records/platform-lines.ts';
import { LOOK_ROUTE, REVIEW_ROUTE, SUBMIT_ROUTE } from './images-instance.ts';

interface FunctionFacts {
  /** As `cdk/domains/images` gives it; 1,769 MiB are one processor. */
  readonly memoryMiB: number;
  /** Called through the gateway. */
  readonly route?: string;
  /** Not traced, and logged by Lambda where it fails only. */
  readonly isHot?: boolean;
}

const FUNCTIONS = {
  submit: { memoryMiB: 1_024, route: SUBMIT_ROUTE },
  receive: { memoryMiB: 512 },
  advance: { memoryMiB: 512 },
  prepare: { memoryMiB: 512 },
  examine: { memoryMiB: 1_769 },
  decide: { memoryMiB: 512 },
  'request review': { memoryMiB: 512 },
  look: { memoryMiB: 512, route: LOOK_ROUTE },
  review: { memoryMiB: 512, route: REVIEW_ROUTE },
  apply: { memoryMiB: 512 },
  announce: { memoryMiB: 512, isHot: true },
} as const satisfies Record<string, FunctionFacts>;
export type FunctionName = keyof typeof FUNCTIONS;

const PROCESSOR_MIB = 1_769;
const GATEWAY_UNIT_BYTES = 512 * 1_024;
/** X-Ray takes the first request of a second, and of the others: */
const TRACED_SHARE = 0.05;

/** One call of a function. */
export interface Call {
  readonly name: FunctionName;
  readonly cpuSeconds: number;
  readonly waitSeconds: number;
}

/** All of some records of one kind. */
export interface Counted {
  readonly records: number;
  readonly calls: readonly Call[];
  readonly entries: readonly Entry[];
  readonly transitions: number;
  /** Of each submission. */
  readonly bodyBytes: number;
  /** By clients, through links. */
  readonly uploads: number;
}

/** With little memory a function has little of a processor. */
const billedSeconds = ({ name, cpuSeconds, waitSeconds }: Call) =>
  Math.ceil((cpuSeconds / Math.min(1, FUNCTIONS[name].memoryMiB / PROCESSOR_MIB) + waitSeconds) * 1_000) / 1_000;

/** Of one record. */
export function validationCharges(counted: Counted): Charge[] {
  const { records, calls, entries, transitions, uploads } = counted;
  const each = (sum: number) => sum / records;
  const per = (figure: (entry: Entry) => number) => each(entries.reduce((sum, entry) => sum + figure(entry), 0));
  const examined = calls.filter(({ name }) => name === 'examine').length;
  const s3Puts = per(({ s3 }) => s3?.s3Put ?? 0) + each(uploads);
  return [
    { name: 'API Gateway, by 512 KB', units: each(gatewayUnits(counted)), unit: 'httpApiRequest' },
    { name: 'Lambda: invocations', units: each(calls.length), unit: 'lambdaRequest' },
    ...timeCharges(counted),
    { name: 'Step Functions: transitions', units: each(transitions), unit: 'stateTransition' },
    { name: 'DynamoDB: write units', units: per(writesOf), unit: 'dynamoDbWriteUnit' },
    { name: 'DynamoDB: read units', units: per(({ reads = 0 }) => reads), unit: 'dynamoDbReadUnit' },
    { name: 'S3: puts', units: s3Puts, unit: 's3Put' },
    { name: 'S3: gets', units: per(({ s3 }) => s3?.s3Get ?? 0), unit: 's3Get' },
    // The bucket tells of every object that comes or goes.
    {
      name: 'EventBridge: events, of objects too',
      units: per(({ events = 0, s3 }) => events + (s3?.s3Free ?? 0)) + s3Puts,
      unit: 'eventBridgeEvent',
    },
    // Sent by the bus or the machine, received and deleted by Lambda.
    { name: 'SQS: requests', units: each(3 * uploads), unit: 'sqsRequest' },
    { name: 'SQS: requests, FIFO', units: each(3 * examined), unit: 'sqsFifoRequest' },
    { name: 'CloudWatch: lines, GB', units: each(logBytes(counted)) / 1e9, unit: 'logGigabyte' },
    {
      name: 'X-Ray: traces',
      units: TRACED_SHARE * each(calls.filter(({ name }) => !isHot(name)).length),
      unit: 'xrayTrace',
    },
  ];
}

const factsOf = (name: FunctionName): FunctionFacts => FUNCTIONS[name];
const isHot = (name: FunctionName) => factsOf(name).isHot === true;

function timeCharges({ records, calls }: Counted): Charge[] {
  return [...Map.groupBy(calls, ({ name }) => name)].map(([name, of]) => {
    const seconds = of.reduce((sum, call) => sum + billedSeconds(call), 0);
    return {
      name: `Lambda: ${name}, ${twoDecimals((seconds / of.length) * 1_000)} ms, GB-s`,
      units: (seconds * factsOf(name).memoryMiB) / 1_024 / records,
      unit: 'lambdaGigabyteSecond',
    };
  });
}

const gatewayUnits = ({ calls, bodyBytes }: Counted) =>
  calls.reduce((sum, { name }) => {
    if (factsOf(name).route === undefined) return sum;
    return sum + (name === 'submit' ? Math.ceil(bodyBytes / GATEWAY_UNIT_BYTES) : 1);
  }, 0);

function logBytes({ calls }: Counted): number {
  const lines = calls.flatMap(({ name }) => {
    const { route } = factsOf(name);
    const own = route === undefined ? [] : [accessLine(route), requestLine(route, 'images')];
    return isHot(name) ? own : [...own, ...FUNCTION_LINES];
  });
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Days that a picture and what points to it are kept, as `PICTURE_RETENTION_DAYS` has it; months of a price. */
const MONTHS = 400 / (365 / 12);

/** Of one picture and its pointers, until they expire. @param itemBytes of the pointers */
export const storageCharges = (pictureBytes: number, itemBytes: number): Charge[] => [
  { name: 'S3: GB-months', units: (pictureBytes / 1e9) * MONTHS, unit: 's3GigabyteMonth' },
  { name: 'DynamoDB: GB-months of pointers', units: (itemBytes / 1e9) * MONTHS, unit: 'dynamoDbGigabyteMonth' },
];
