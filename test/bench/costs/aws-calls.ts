import type { PricedUnit } from '../../../cdk/cost/prices.ts';
import { type Client, withMiddleware } from '../../support/faults/mortal-clients.ts';

/** Calls of one operation, and what they are charged for. */
export interface Charge {
  readonly operation: string;
  calls: number;
  units: number;
  readonly unit: PricedUnit;
}

interface Call {
  readonly input: Record<string, unknown>;
}
interface Context {
  readonly clientName?: string;
  readonly commandName?: string;
}
type Next = (
  call: Call,
) => Promise<{ readonly output: { readonly ConsumedCapacity?: Consumed | readonly Consumed[] } }>;
interface Consumed {
  readonly CapacityUnits?: number;
}

/** Counts the calls that clients of DynamoDB and S3 make and what AWS charges for each. */
export class AwsCalls {
  readonly #charges = new Map<string, Charge>();
  failed = 0;

  /** The client, with all its calls counted. */
  bind<C extends Client>(client: C): C {
    const counting = (next: Next, context: Context) => async (call: Call) => {
      const operation = (context.commandName ?? '').replace(/Command$/, '');
      const isDynamoDb = context.clientName === 'DynamoDBClient';
      if (isDynamoDb) call.input['ReturnConsumedCapacity'] = 'TOTAL';
      try {
        const result = await next(call);
        const unit = isDynamoDb ? dynamoDbUnitOf(operation) : s3UnitOf(operation);
        this.#charge(operation, unit, isDynamoDb ? capacityOf(operation, result.output.ConsumedCapacity) : 1);
        return result;
      } catch (error) {
        this.failed += 1;
        throw error;
      }
    };
    return withMiddleware(client, 'awsCalls', counting);
  }

  get charges(): readonly Charge[] {
    return [...this.#charges.values()].toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
  }

  #charge(operation: string, unit: PricedUnit, units: number): void {
    const charge = this.#charges.get(operation) ?? { operation, calls: 0, units: 0, unit };
    charge.calls += 1;
    charge.units += units;
    this.#charges.set(operation, charge);
  }
}

function capacityOf(operation: string, consumed: Consumed | readonly Consumed[] | undefined): number {
  const parts = [consumed ?? []].flat();
  if (parts.length === 0) throw new Error(`The engine does not report what ${operation} consumed.`);
  return parts.reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}

const READS = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan', 'TransactGetItems']);
const dynamoDbUnitOf = (operation: string): PricedUnit =>
  READS.has(operation) ? 'dynamoDbReadUnit' : 'dynamoDbWriteUnit';

export function s3UnitOf(operation: string): PricedUnit {
  if (/^(Put|Copy|Create|Complete|UploadPart|List)/.test(operation)) return 's3Put';
  return /^(Delete|Abort)/.test(operation) ? 's3Free' : 's3Get';
}
