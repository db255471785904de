import { EVENT_SOURCES } from '#shared/events/event-sources';

/**
 * The modules whose events fire webhooks, with the names that the delivery log shows and the triggers that a rule may
 * choose.
 */
export const MODULES = {
  dsar: {
    name: 'Data Subject Requests',
    triggers: ['Task is completed', 'Stage started', 'Stage is completed', 'DSAR starts', 'DSAR is completed'],
  },
  breach: {
    name: 'Breach Management',
    triggers: ['Incident created', 'Stage started', 'Stage is completed', 'Incident closed'],
  },
  assessment: {
    name: 'Assessments',
    triggers: ['Assessment started', 'Assessment submitted', 'Assessment approved', 'Assessment is completed'],
  },
  consent: { name: 'Consent Management', triggers: ['Consent submitted', 'Consent withdrawn'] },
  // Built in; `shared/events/built-in-events.ts` has the variables of each.
  conversions: {
    name: 'Conversions',
    triggers: ['Quota threshold reached', 'Plan changed', 'Payment failed', 'Payment settled', 'Invoice is written'],
  },
  places: { name: 'Places', triggers: ['Check-in made'] },
  images: { name: 'Image validation', triggers: ['Validation is decided', 'Review is needed'] },
  downloads: { name: 'Downloads', triggers: ['Download is completed', 'Import is completed'] },
} as const satisfies Readonly<Record<string, { name: string; triggers: readonly string[] }>>;

export type ModuleId = keyof typeof MODULES;

export const BUILT_IN_MODULES = Object.keys(EVENT_SOURCES) as readonly BuiltInModule[];
export type BuiltInModule = keyof typeof EVENT_SOURCES;
export const isBuiltInModule = (id: ModuleId): id is BuiltInModule => BUILT_IN_MODULES.some((own) => own === id);

/** The domains that announce the events of a built-in module. */
export const sourcesOf = (module: BuiltInModule): readonly string[] => EVENT_SOURCES[module];

export const MODULE_IDS = Object.keys(MODULES) as [ModuleId, ...ModuleId[]];

/** Returns the module with this id or display name. */
export function moduleIn(text: string): ModuleId | undefined {
  return MODULE_IDS.find((id) => id === text || MODULES[id].name === text);
}
