/** List prices of AWS in dollars, without free tiers and discounts. */
export const PRICES = {
  date: '2026-11',
  region: 'us-east-1',
  architecture: 'arm64',
  perUnit: {
    lambdaGigabyteSecond: 0.0000133334,
    lambdaRequest: 0.2 / 1e6,
    /** On demand. */
    dynamoDbWriteUnit: 0.625 / 1e6,
    dynamoDbReadUnit: 0.125 / 1e6,
    /** PUT, COPY, POST and LIST requests. */
    s3Put: 0.005 / 1000,
    /** GET and all other requests. */
    s3Get: 0.0004 / 1000,
    /** S3 takes nothing for deletions and for giving up an upload. */
    s3Free: 0,
    sqsRequest: 0.4 / 1e6,
    snsRequest: 0.5 / 1e6,
    sqsFifoRequest: 0.5 / 1e6,
    /** On top of it, for messages with a group in a standard queue. */
    sqsFairRequest: 0.1 / 1e6,
    kmsRequest: 0.03 / 10_000,
    /** By 512 KB of its body. */
    httpApiRequest: 1 / 1e6,
    /** Logs of the standard class, taken in. */
    logGigabyte: 0.5,
    /** Custom events, by 64 KB; their delivery to queues and functions is free. */
    eventBridgeEvent: 1 / 1e6,
    /** Of standard executions. */
    stateTransition: 0.025 / 1000,
    /** A recorded trace. The sampler takes the first call of every second, and one in twenty of the others. */
    xrayTrace: 5 / 1e6,
    s3GigabyteMonth: 0.023,
    s3InfrequentGigabyteMonth: 0.0125,
    /** An object that a lifecycle rule moves to infrequent access. */
    s3InfrequentMove: 0.01 / 1000,
    dynamoDbGigabyteMonth: 0.25,
    /** Recovery to a point in time, on top: of the table, not of its indexes. */
    dynamoDbRecoveryGigabyteMonth: 0.2,
    /** Standard resolution, for every metric that an alarm analyses. */
    alarmMetric: 0.1,
    /** A customer managed key, before its first rotation. */
    kmsKey: 1,
    /** A secret, however many versions it has. */
    secret: 0.4,
    /** AnalyzeExpense, of the first million in a month. */
    textractExpensePage: 0.01,
  },
  /** Transfer to the internet in a month, a gigabyte: each price up to so many of them, of the whole account. */
  egressGigabyte: [
    { upTo: 10_240, price: 0.09 },
    { upTo: 51_200, price: 0.085 },
    { upTo: 153_600, price: 0.07 },
    { upTo: Number.POSITIVE_INFINITY, price: 0.05 },
  ],
} as const;

export type PricedUnit = keyof typeof PRICES.perUnit;
