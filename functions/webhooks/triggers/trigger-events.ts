import type { MODULES, ModuleId } from '../modules/module.ts';

/** A member of the `data` of an event: an example of its value, and what it means. */
type Variable = readonly [sample: unknown, description: string];
/** Variables by name. */
export type Variables = Readonly<Record<string, Variable>>;

/** The record and the data of a trigger's events. */
export interface TriggerEvents {
  readonly recordType: string;
  readonly recordId: string;
  readonly data: Variables;
}

/** All triggers of these modules. */
export type TriggersOf<Module extends ModuleId> = {
  readonly [Id in Module]: { readonly [Trigger in (typeof MODULES)[Id]['triggers'][number]]: TriggerEvents };
};
