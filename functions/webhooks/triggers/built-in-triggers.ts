import * as z from 'zod/mini';
import { BUILT_IN_EVENTS } from '#shared/events/built-in-events';
import type { BuiltInModule } from '../modules/module.ts';
import type { TriggerEvents, TriggersOf, Variables } from './trigger-events.ts';

type Shape = Readonly<Record<string, z.core.$ZodType>>;

interface BuiltInEvent extends Omit<TriggerEvents, 'data'> {
  readonly data: { readonly shape: Shape };
}

/** The compiler refuses a trigger without an event. */
const EVENTS: {
  readonly [Id in BuiltInModule]: { readonly [Trigger in keyof TriggersOf<Id>[Id]]: BuiltInEvent };
} = BUILT_IN_EVENTS;

/** The triggers of the built-in modules, with the variables of their events. */
export const BUILT_IN_TRIGGERS = mapped(EVENTS, (triggers: Readonly<Record<string, BuiltInEvent>>) =>
  mapped(triggers, ({ data, ...record }): TriggerEvents => ({ ...record, data: variablesOf(data.shape) })),
) as TriggersOf<BuiltInModule>;

/** The variables of a schema, each with its example and its meaning. */
export function variablesOf(shape: Shape): Variables {
  return mapped(shape, (schema) => {
    const { examples = [], description = '' } = z.globalRegistry.get(schema) ?? {};
    return [(examples as readonly unknown[])[0], description] as const;
  });
}

function mapped<Value, Result>(
  table: Readonly<Record<string, Value>>,
  resultOf: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, resultOf(value)]));
}
