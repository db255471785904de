import type { MODULES, ModuleId } from '../rules/module.ts';

/** A member of the `data` of an event: an example of its value, and what it means. */
type Variable = readonly [sample: unknown, description: string];
/** By name. */
export type Variables = Readonly<Record<string, Variable>>;

/** What events of a trigger look like. */
export interface TriggerEvents {
  readonly recordType: string;
  readonly recordId: string;
  readonly data: Variables;
}

/** All triggers of these modules. */
export type TriggersOf<Module extends ModuleId> = {
  readonly [Id in Module]: { readonly [Trigger in (typeof MODULES)[Id]['triggers'][number]]: TriggerEvents };
};
