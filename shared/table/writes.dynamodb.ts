import { DeleteItemCommand, PutItemCommand, type ReturnValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expressionParts, type Placeholders } from './expressions.dynamodb.ts';
import { type Item, type Key, marshalled, type Table, whenAllowed } from './table.dynamodb.ts';

/** The condition of a write. */
export interface Condition extends Placeholders {
  readonly condition: string;
  /** True if a refused write returns the item that forbids it. @default false */
  readonly returnsOld?: boolean;
}

/** The change of an update, as an update expression. */
export interface Change extends Placeholders, Partial<Condition> {
  readonly change: string;
}

export const IS_NEW: Condition = { condition: 'attribute_not_exists(pk)' };
export const EXISTS: Condition = { condition: 'attribute_exists(pk)' };

/**
 * The change that gives attributes these values, and removes those whose value is undefined.
 * @param initial values of attributes that have none yet
 */
export function assignment(attributes: object, initial: object = {}): Change {
  const entries = Object.entries(attributes);
  const set = [
    ...entries.filter(([, value]) => value !== undefined).map(([name]) => `#${name} = :${name}`),
    ...Object.keys(initial).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ];
  const removed = entries.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  const clauses = [set.length > 0 && `SET ${set.join(', ')}`, removed.length > 0 && `REMOVE ${removed.join(', ')}`];
  return { change: clauses.filter(Boolean).join(' '), values: { ...attributes, ...initial } };
}

function conditionOf({ condition, returnsOld, ...parameters }: Partial<Condition>, change = '') {
  return {
    ...(condition !== undefined && { ConditionExpression: condition }),
    ...expressionParts([change, condition], parameters),
    ...(returnsOld && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}

/** Puts an item, as part of a transaction. */
export const putWrite = (TableName: string, item: object, condition: Partial<Condition> = {}) => ({
  Put: { TableName, Item: marshalled(item), ...conditionOf(condition) },
});

/** Changes an item, as part of a transaction. */
export const updateWrite = (TableName: string, key: Key, { change, ...condition }: Change) => ({
  Update: { TableName, Key: marshalled(key), UpdateExpression: change, ...conditionOf(condition, change) },
});

/** Deletes an item, as part of a transaction. */
export const deleteWrite = (TableName: string, key: Key, condition: Partial<Condition> = {}) => ({
  Delete: { TableName, Key: marshalled(key), ...conditionOf(condition) },
});

/** Refuses a transaction if the condition does not hold. */
export const conditionCheck = (TableName: string, key: Key, condition: Condition) => ({
  ConditionCheck: {
    TableName,
    Key: marshalled(key),
    ...conditionOf(condition),
    ConditionExpression: condition.condition,
  },
});

/** Whether a write was made. If it was: the attributes that it returns. If not: the item that forbids it, if requested. */
export type Written = { readonly done: true; readonly item: Item } | { readonly done: false; readonly item?: Item };

export async function putItem(table: Table, item: object, condition?: Condition): Promise<Written> {
  return writeOutcome(table.client.send(new PutItemCommand(putWrite(table.name, item, condition).Put)));
}

/** @param change with what the write returns. @default nothing */
export async function updateItem(
  table: Table,
  key: Key,
  { returns, ...change }: Change & { readonly returns?: ReturnValue },
): Promise<Written> {
  const input = updateWrite(table.name, key, change).Update;
  return writeOutcome(
    table.client.send(new UpdateItemCommand({ ...input, ...(returns && { ReturnValues: returns }) })),
  );
}

export async function deleteItem(table: Table, key: Key, condition?: Condition): Promise<Written> {
  return writeOutcome(table.client.send(new DeleteItemCommand(deleteWrite(table.name, key, condition).Delete)));
}

async function writeOutcome(write: Promise<{ readonly Attributes?: Item | undefined }>): Promise<Written> {
  const outcome = await whenAllowed(write);
  return outcome.done ? { done: true, item: unmarshall(outcome.result.Attributes ?? {}) } : outcome;
}
