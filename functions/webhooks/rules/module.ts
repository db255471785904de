/** The modules whose events fire webhooks, as the delivery log shows them, with the triggers a rule may choose from. */
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
  // Of the service itself; `functions/conversions/billing/announcements/announcement.ts` lists the variables of each.
  conversions: {
    name: 'Conversions',
    triggers: ['Quota threshold reached', 'Plan changed', 'Payment failed', 'Payment settled', 'Invoice is written'],
  },
  // `functions/places/announcements/check-in-event.ts` lists the variables.
  places: { name: 'Places', triggers: ['Check-in made'] },
  // `functions/images/announcements/validation-told.ts` lists the variables of each.
  images: { name: 'Image validation', triggers: ['Validation is decided', 'Review is needed'] },
  // `functions/records/announcements/download-ended.ts` and `shared/import/import-ended.ts` list the variables.
  downloads: { name: 'Downloads', triggers: ['Download is completed', 'Import is completed'] },
} as const satisfies Readonly<Record<string, { name: string; triggers: readonly string[] }>>;

export type ModuleId = keyof typeof MODULES;

/** The modules of the service itself, and the domains that announce their events: nobody else may. */
const SOURCES = {
  conversions: ['conversions'],
  places: ['places'],
  images: ['images'],
  // Of records, and of places.
  downloads: ['records', 'places'],
} as const satisfies Partial<Record<ModuleId, readonly string[]>>;
export const OWN_MODULES = Object.keys(SOURCES) as readonly OwnModule[];
export type OwnModule = keyof typeof SOURCES;
export const isOwnModule = (id: ModuleId): id is OwnModule => OWN_MODULES.some((own) => own === id);

/** The domains that announce events of a module of the service itself. */
export const sourcesOf = (module: OwnModule): readonly string[] => SOURCES[module];

export const MODULE_IDS = Object.keys(MODULES) as [ModuleId, ...ModuleId[]];

/** A module by its id or by the name it is shown under. */
export function moduleIn(text: string): ModuleId | undefined {
  return MODULE_IDS.find((id) => id === text || MODULES[id].name === text);
}
