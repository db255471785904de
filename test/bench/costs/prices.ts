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
    sqsFifoRequest: 0.5 / 1e6,
    /** On top of it, for messages with a group in a standard queue. */
    sqsFairRequest: 0.1 / 1e6,
    kmsRequest: 0.03 / 10_000,
    /** By 512 KB of its body. */
    httpApiRequest: 1 / 1e6,
    logGigabyte: 0.5,
    /** Custom events, by 64 KB; their delivery to queues and functions is free. */
    eventBridgeEvent: 1 / 1e6,
    /** Of standard executions. */
    stateTransition: 0.025 / 1000,
    xrayTrace: 5 / 1e6,
    s3GigabyteMonth: 0.023,
    dynamoDbGigabyteMonth: 0.25,
    /** AnalyzeExpense, of the first million in a month. */
    textractExpensePage: 0.01,
  },
} as const;

export type PricedUnit = keyof typeof PRICES.perUnit;
