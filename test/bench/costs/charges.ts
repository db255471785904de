/** Tables of calls and of charges, for the benches of cost. */

import { PRICES, type PricedUnit } from '../../../cdk/cost/prices.ts';
import type { Entry } from './aws-ledger.ts';

export interface Charge {
  readonly name: string;
  /** Per run. */
  readonly units: number;
  readonly unit: PricedUnit;
}

export const perMillion = (charges: readonly Charge[]) =>
  charges.reduce((sum, { units, unit }) => sum + units * PRICES.perUnit[unit] * 1e6, 0);

export const writesOf = ({ writes = 0, indexWrites = {} }: Entry) =>
  Object.values(indexWrites).reduce((sum, units) => sum + units, writes);

/** Reads and writes, indexes included. */
const unitsOf = (entry: Entry) => writesOf(entry) + (entry.reads ?? 0);

/** What each kind of call takes of DynamoDB, SQS and KMS, per run. @param indexes a column for each */
export function printCalls(entries: readonly Entry[], runs: number, indexes: readonly string[] = []): void {
  const row = (of: readonly Entry[]) => callRow(of, runs, indexes);
  const lines = Map.groupBy(entries, ({ step, call }) => `${step}: ${call}`);
  console.table(Object.fromEntries([...[...lines].map(([name, of]) => [name, row(of)]), ['total', row(entries)]]));
  const differing = entries.find((entry) => entry.reported !== undefined && entry.reported !== unitsOf(entry));
  if (differing) console.log(`The engine counts otherwise: ${JSON.stringify(differing)}`);
}

function callRow(of: readonly Entry[], runs: number, indexes: readonly string[]): object {
  const per = (figure: (entry: Entry) => number | undefined) =>
    twoDecimals(of.reduce((sum, entry) => sum + (figure(entry) ?? 0), 0) / runs);
  return {
    calls: per(({ calls = 1 }) => calls),
    bytes: Math.max(...of.map(({ bytes = 0 }) => bytes)) || '',
    table: per(({ writes }) => writes),
    ...Object.fromEntries(indexes.map((name) => [name, per(({ indexWrites }) => indexWrites?.[name])])),
    'all WRU': per(writesOf),
    RRU: per(({ reads }) => reads),
    SQS: per(({ sqs }) => sqs),
    KMS: per(({ kms }) => kms),
    ...(of.some(({ s3 }) => s3) && {
      's3 puts': per(({ s3 }) => s3?.s3Put),
      's3 gets': per(({ s3 }) => s3?.s3Get),
    }),
    ...(of.some(({ events }) => events) && { events: per(({ events }) => events) }),
    'engine says': of.some(({ reported }) => reported !== undefined) ? per(({ reported }) => reported) : '-',
  };
}

/** @param totals name and charges of each sum below the lines */
export function printCharges(
  charges: readonly Charge[],
  totals: readonly (readonly [name: string, charges: readonly Charge[]])[],
): void {
  console.table(
    Object.fromEntries([
      ...charges.map((charge) => [
        charge.name,
        { 'per run': Number(charge.units.toPrecision(3)), 'dollars per million': perMillion([charge]).toFixed(2) },
      ]),
      ...totals.map(([name, of]) => [name, { 'dollars per million': perMillion(of).toFixed(2) }]),
    ]),
  );
}

export const twoDecimals = (figure: number) => Number(figure.toFixed(2));
export const dollars = (amount: number) => `$${amount.toFixed(2)}`;
