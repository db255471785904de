/**
 * What one operation of each service uses, as the READMEs of the services count it. `test/cdk/cost/operations.test.ts`
 * compares the dollars with their tables.
 */
import type { PricedUnit } from './prices.ts';

type Units = Readonly<Partial<Record<PricedUnit, number>>>;

export interface Operation {
  /** Computing and requests, with the log lines that the benches count. */
  readonly units: Units;
  /** The records of Lambda and X-Ray of functions that are not hot, which the tables leave out. */
  readonly records?: Units;
}

/** Start and report of a call of a function that is not hot, and the one call in twenty that X-Ray takes. */
const recordsOf = (runs: number, ownBytes = 0): Units => ({
  logGigabyte: (runs * 560 + ownBytes) / 1e9,
  xrayTrace: runs * 0.05,
});

export const OPERATIONS = {
  /** A search whose segments are cached, with a manifest of 4 KB, showing records that the token has not seen today. */
  previews: {
    units: {
      httpApiRequest: 1,
      lambdaRequest: 1,
      lambdaGigabyteSecond: 0.02 * (1_769 / 1_024),
      dynamoDbReadUnit: 1,
      dynamoDbWriteUnit: 1 + 3.6,
    },
    // The line of the function, and that of the gateway.
    records: recordsOf(1, 640),
  },
  /** One record of a download of a million. */
  records: {
    units: {
      s3Get: 308 / 1e6,
      s3Put: 100 / 1e6,
      dynamoDbWriteUnit: 412 / 1e6,
      dynamoDbReadUnit: 14 / 1e6,
      sqsRequest: 12 / 1e6,
      lambdaRequest: 4 / 1e6,
      lambdaGigabyteSecond: 17 / 1e6,
    },
  },
  /** A webhook delivered alone at the first attempt, to an endpoint that answers at once. */
  deliveries: {
    units: {
      httpApiRequest: 1,
      dynamoDbWriteUnit: 11,
      dynamoDbReadUnit: 8,
      sqsRequest: 3,
      sqsFairRequest: 3,
      lambdaRequest: 3,
      // The time of the functions is what the measured total leaves beside the rest.
      lambdaGigabyteSecond: 0.043,
      logGigabyte: 800 / 1e9,
    },
    records: recordsOf(3),
  },
  /** A metered request of one item, far below the rate of its plan. */
  conversions: {
    units: {
      httpApiRequest: 1,
      lambdaRequest: 1,
      lambdaGigabyteSecond: 0.012,
      dynamoDbWriteUnit: 1.04,
      logGigabyte: 220 / 1e9,
    },
  },
  /** 20 of 1,000 places near a registered customer. */
  listings: {
    units: {
      httpApiRequest: 1,
      lambdaRequest: 1,
      lambdaGigabyteSecond: 0.052,
      dynamoDbReadUnit: 8,
      dynamoDbWriteUnit: 1,
      logGigabyte: 260 / 1e9,
    },
  },
  /** A check-in, with its announcement. */
  checkIns: {
    units: {
      httpApiRequest: 1,
      eventBridgeEvent: 1,
      lambdaRequest: 2,
      lambdaGigabyteSecond: (0.045 + 0.035) / 2,
      dynamoDbReadUnit: 5,
      dynamoDbWriteUnit: 9,
      logGigabyte: 280 / 1e9,
    },
  },
  /** A receipt of 2 MB, sent inline and decided by the machine. */
  receipts: {
    units: {
      httpApiRequest: 6,
      stateTransition: 9,
      lambdaRequest: 7,
      // Examining, and what the other functions take.
      lambdaGigabyteSecond: 3.46 * (1_769 / 1_024) + 0.551,
      dynamoDbReadUnit: 37,
      dynamoDbWriteUnit: 55,
      s3Put: 2,
      s3Get: 2,
      eventBridgeEvent: 3,
      logGigabyte: 4_680 / 1e9,
      xrayTrace: 6 * 0.05,
    },
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
