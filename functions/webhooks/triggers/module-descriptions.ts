import { COMMON_VARIABLES } from '#shared/events/built-in-events';
import { MODULE_IDS, MODULES, type ModuleId } from '../modules/module.ts';
import { BUILT_IN_TRIGGERS, variablesOf } from './built-in-triggers.ts';
import { OUTSIDE_TRIGGERS } from './outside-triggers.ts';
import type { TriggerEvents, TriggersOf, Variables } from './trigger-events.ts';

const TRIGGERS: TriggersOf<ModuleId> = { ...OUTSIDE_TRIGGERS, ...BUILT_IN_TRIGGERS };

const SAMPLE_TIME = '2026-11-21T10:00:00.000Z';

/** A sample event of this trigger, as `POST events` accepts it; undefined if the module has no such trigger. */
export function sampleEvent(module: ModuleId, trigger: string) {
  const events = eventsOf(module, trigger);
  if (!events) return undefined;
  const data = Object.fromEntries(Object.entries(events.data).map(([name, [sample]]) => [name, sample]));
  const { recordType, recordId } = events;
  return { id: `sample-${module}-${recordId}`, module, trigger, recordType, recordId, data, time: SAMPLE_TIME };
}

/** The names that rules on this trigger may use, even if an event lacks them. */
export const declaredNames = (module: ModuleId, trigger: string): readonly string[] =>
  Object.keys(eventsOf(module, trigger)?.data ?? {});

function eventsOf(module: ModuleId, trigger: string): TriggerEvents | undefined {
  const triggers: Readonly<Record<string, TriggerEvents>> = TRIGGERS[module];
  return Object.hasOwn(triggers, trigger) ? triggers[trigger] : undefined;
}

/** Every module, with the variables that rules on its triggers may use. */
export const describedModules = () =>
  MODULE_IDS.map((id) => ({
    id,
    name: MODULES[id].name,
    triggers: MODULES[id].triggers.map((name) => ({
      name,
      variables: [...described(variablesOf(COMMON_VARIABLES)), ...described(eventsOf(id, name)?.data ?? {})],
      sample: sampleEvent(id, name),
    })),
  }));

const described = (variables: Variables) =>
  Object.entries(variables).map(([name, [, description]]) => ({ name, description }));
