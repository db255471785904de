/** One instance of the convert function without its environment, so that a bench may count its calls and move its clock. */

import { announceThreshold } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import { Breaker } from '../../../functions/conversions/billing/metering/breaker.ts';
import { meterStore } from '../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { Metering } from '../../../functions/conversions/billing/metering/metering.ts';
import { ConvertItem, ConvertResult, convertItem } from '../../../functions/conversions/convert/convert.ts';
import { authenticator } from '../../../functions/conversions/serving/authenticate.ts';
import { meteredRoute } from '../../../functions/conversions/serving/metered-route.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import type { HttpEvent, HttpResult } from '../../../shared/http/http-handler.ts';
import { answerStore } from '../../../shared/idempotency/answer-store.dynamodb.ts';
import { steadyMicros } from '../../../shared/metering/token-bucket.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { invoked, SECRETS } from './metered-accounts.ts';

/** Far longer than the waits of a stage: a busy machine must not open the meter. */
const CALL_MILLIS = 5_000;

export type Instance = (event: HttpEvent) => Promise<HttpResult>;

/** As `route-parts.dynamodb.ts` puts it together. @param clock milliseconds since 1970 */
export function newInstance(table: Table, clock: () => number): Instance {
  const micros = steadyMicros(clock);
  const millis = () => Math.floor(micros() / 1_000);
  const never = (what: string) => async (): Promise<never> => {
    throw new Error(`${what} in a bench without failures.`);
  };
  const metering = new Metering(
    {
      store: meterStore(table, { advance: never('A period ended'), now: millis }),
      cache: new AccountCache(),
      now: micros,
      breaker: new Breaker(clock),
      lateUsage: { send: never('Usage was late') },
      report: (event) => {
        throw new Error(`The meter reports ${event}.`);
      },
    },
    { callMillis: CALL_MILLIS, requestMillis: CALL_MILLIS },
  );
  const statusOf = async () => UNRESTRICTED;
  const parts = {
    metering,
    answers: answerStore(table, CALL_MILLIS),
    noteUse: async () => undefined,
    announceThresholds: ({ tenant, mode }, item) => announceThreshold(table, tenant, { mode, item, now: millis() }),
    authenticate: authenticator(async () => SECRETS, statusOf),
    statusOf,
    micros,
    clock,
  } satisfies Parameters<typeof meteredRoute>[0];
  const answer = meteredRoute(parts, { item: ConvertItem, result: ConvertResult, work: convertItem });
  return (event) => answer(event, invoked());
}
