/** What AWS charges for a listing and for a check-in, from what was counted of them. */
import type { Entry } from '../costs/aws-ledger.ts';
import { type Charge, twoDecimals, writesOf } from '../costs/charges.ts';
import { accessLine } from '../records/platform-lines.ts';

/** As `cdk/domains/places/places.ts` gives it; 1,769 MiB are one processor. */
const MEMORY_MIB = { list: 1_024, 'check-in': 512, announce: 512 } as const;
const PROCESSOR_MIB = 1_769;

/** All but `entries` of one request or batch. */
export interface Step {
  readonly name: keyof typeof MEMORY_MIB;
  readonly requests: number;
  /** Of all requests together. */
  readonly entries: readonly Entry[];
  readonly cpuSeconds: number;
  readonly waitSeconds: number;
}

/** With little memory a function has little of a processor. */
const billedSeconds = ({ name, cpuSeconds, waitSeconds }: Omit<Step, 'entries' | 'requests'>) =>
  Math.ceil((cpuSeconds / Math.min(1, MEMORY_MIB[name] / PROCESSOR_MIB) + waitSeconds) * 1_000) / 1_000;

/** A call of a route, from the gateway to the answer. */
export function requestCharges(step: Step, route: string): Charge[] {
  const per = (figure: (entry: Entry) => number) =>
    step.entries.reduce((sum, entry) => sum + figure(entry), 0) / step.requests;
  const billed = billedSeconds(step);
  return [
    { name: 'API Gateway', units: 1, unit: 'httpApiRequest' },
    { name: 'Lambda: invocation', units: 1, unit: 'lambdaRequest' },
    {
      name: `Lambda: ${twoDecimals(billed * 1_000)} ms, ${twoDecimals(step.cpuSeconds * 1_000)} of a whole processor, GB-s`,
      units: (billed * MEMORY_MIB[step.name]) / 1_024,
      unit: 'lambdaGigabyteSecond',
    },
    { name: 'DynamoDB: write units', units: per(writesOf), unit: 'dynamoDbWriteUnit' },
    { name: 'DynamoDB: read units', units: per(({ reads = 0 }) => reads), unit: 'dynamoDbReadUnit' },
    {
      name: 'CloudWatch: access log, GB',
      units: (Buffer.byteLength(accessLine(route)) + 1) / 1e9,
      unit: 'logGigabyte',
    },
  ];
}

/** The share of one check-in. @param batch of check-ins that the stream brings to the function at once */
export function announcementCharges(step: Step, batch: number): Charge[] {
  const billed = billedSeconds(step);
  return [
    { name: 'EventBridge: event', units: 1, unit: 'eventBridgeEvent' },
    { name: 'Lambda: announcer, invocation', units: 1 / batch, unit: 'lambdaRequest' },
    {
      name: `Lambda: announcer, ${twoDecimals(billed * 1_000)} ms, GB-s`,
      units: (billed * MEMORY_MIB[step.name]) / 1_024 / batch,
      unit: 'lambdaGigabyteSecond',
    },
  ];
}
