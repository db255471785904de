/** Makes DynamoDB fail as on AWS: some calls are throttled, and concurrent writes of one item conflict. */
import { isObject, type Json, type JsonObject, jsonBody, objectIn, objectsIn, textIn } from '../endpoint/json.ts';
import type { AwsFailure } from './aws-failures.ts';
import { ItemConflicts, type WritingCall } from './item-conflicts.ts';

/** One call in this many is throttled: about the rate of a table that outgrows its partitions. */
const CALLS_PER_THROTTLE = 8;

/** Identifies an item of a table, from its key or from the whole item. */
type ItemName = (table: string, attributes: JsonObject) => string;

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly members?: JsonObject;
}

export class FailingTables {
  private readonly like: ReadonlySet<AwsFailure>;
  private readonly nameOf: ItemName;
  private readonly conflicts = new ItemConflicts();
  private calls = 0;

  constructor(like: ReadonlySet<AwsFailure>, nameOf: ItemName) {
    this.like = like;
    this.nameOf = nameOf;
  }

  /** Passes a call on, or refuses it as DynamoDB would. @param operation such as `PutItem` */
  async passed<Answer>(
    operation: string,
    body: string | Buffer,
    { pass, refuse }: { pass: () => Promise<Answer>; refuse: (refusal: Refusal) => Answer },
  ): Promise<Answer> {
    if (this.like.has('throttles') && ++this.calls % CALLS_PER_THROTTLE === 0)
      return refuse(throttled(operation, body));
    if (!this.like.has('conflicts')) return pass();
    const call = this.writingCall(operation, contentOf(body));
    if (!call) return pass();
    const conflicts = this.conflicts.conflictsOf(call);
    if (conflicts.includes(true)) return refuse(call.isTransaction ? cancelled(conflicts, CONFLICT) : CONFLICTING);
    return this.conflicts.during(call, pass);
  }

  private writingCall(operation: string, body: JsonObject): WritingCall | undefined {
    if (operation === 'TransactWriteItems') {
      const items = objectsIn(body, 'TransactItems').flatMap((entry) =>
        Object.values(entry).flatMap((part) => this.named(part)),
      );
      return { items, isTransaction: true };
    }
    if (/^(Put|Update|Delete)Item$/.test(operation)) return { items: this.named(body), isTransaction: false };
    return undefined;
  }

  private named(part: Json | undefined): string[] {
    if (!isObject(part)) return [];
    const attributes = { ...objectIn(part, 'Key'), ...objectIn(part, 'Item') };
    return [this.nameOf(textIn(part, 'TableName') ?? '', attributes)];
  }
}

const contentOf = (body: string | Buffer): JsonObject => jsonBody(typeof body === 'string' ? Buffer.from(body) : body);

const CONFLICT = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
const THROTTLED = {
  Code: 'ThrottlingError',
  Message: 'Throughput exceeds the current capacity of your table or index.',
};
const CONFLICTING: Refusal = { code: 'TransactionConflictException', message: CONFLICT.Message };

function throttled(operation: string, body: string | Buffer): Refusal {
  if (operation !== 'TransactWriteItems') {
    return { code: 'ProvisionedThroughputExceededException', message: THROTTLED.Message };
  }
  const items = objectsIn(contentOf(body), 'TransactItems');
  return cancelled(
    items.map((_, at) => at === 0),
    THROTTLED,
  );
}

function cancelled(concerned: readonly boolean[], reason: { Code: string; Message: string }): Refusal {
  const CancellationReasons = concerned.map((is) => (is ? reason : { Code: 'None' }));
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return {
    code: 'TransactionCanceledException',
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    members: { CancellationReasons },
  };
}
