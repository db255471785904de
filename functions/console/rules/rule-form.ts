import type { Form } from '../pages/form.ts';
import type { Modules, Rule, Trigger } from './rule-answers.ts';

/** The fields of a rule, as text. */
export interface RuleFields {
  /** `module|trigger`: one choice, so that the two always belong together. */
  readonly trigger: string;
  readonly apiConfigurationId: string;
  /** A header a line: `Name: value`. */
  readonly headers: string;
  readonly body: string;
  readonly isEnabled: boolean;
  /** The event of the preview; blank: the sample of the trigger. */
  readonly sample: string;
}

const NEW_BODY = `{
  "request": "{{requestId}}",
  "tenant": "{{tenantId}}"
}`;

export const triggerValue = (module: string, trigger: string): string => `${module}|${trigger}`;

/** A new rule begins with what the address states, or with the first trigger of all. */
export function newRule(modules: Modules, stated: URLSearchParams): RuleFields {
  const module = modules.items.find(({ id }) => id === stated.get('module')) ?? modules.items[0];
  return {
    trigger: triggerValue(module?.id ?? '', module?.triggers[0]?.name ?? ''),
    apiConfigurationId: stated.get('configuration') ?? '',
    headers: '',
    body: NEW_BODY,
    isEnabled: true,
    sample: '',
  };
}

export const fieldsOf = (rule: Rule): RuleFields => ({
  trigger: triggerValue(rule.module, rule.trigger),
  apiConfigurationId: rule.apiConfigurationId,
  headers: Object.entries(rule.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  body: rule.bodyText,
  isEnabled: rule.enabled,
  sample: '',
});

export const statedFields = (form: Form): RuleFields => ({
  trigger: form.text('trigger'),
  apiConfigurationId: form.text('apiConfigurationId'),
  headers: form.text('headers'),
  body: form.text('body'),
  isEnabled: form.isTicked('isEnabled'),
  sample: form.text('sample'),
});

/** The module and trigger of the choice. */
function chosen({ trigger }: Pick<RuleFields, 'trigger'>): {
  readonly module: string;
  readonly trigger: string;
} {
  const at = trigger.indexOf('|');
  return at < 0 ? { module: '', trigger } : { module: trigger.slice(0, at), trigger: trigger.slice(at + 1) };
}

export function triggerOf({ items }: Modules, fields: Pick<RuleFields, 'trigger'>): Trigger | undefined {
  const { module, trigger } = chosen(fields);
  return items.find(({ id }) => id === module)?.triggers.find(({ name }) => name === trigger);
}

/** A line without a colon is a header without a value: the API says what is wrong with it. */
export const headersIn = (text: string) =>
  text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const at = line.indexOf(':');
    return at < 0
      ? [{ name: line.trim(), value: '' }]
      : [{ name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }];
  });

export const bodyOf = (fields: RuleFields) => ({
  ...chosen(fields),
  apiConfigurationId: fields.apiConfigurationId,
  headers: headersIn(fields.headers),
  bodyText: fields.body,
  enabled: fields.isEnabled,
});

export type SampleEvent =
  | { readonly ok: true; readonly event: unknown }
  | { readonly ok: false; readonly fault: string };

export const sampleText = (trigger: Trigger | undefined): string => JSON.stringify(trigger?.sample ?? {}, undefined, 2);

/** The fields without a sample that nobody has changed: it may be that of a trigger which was chosen before. */
export function withoutOwnSample(modules: Modules, fields: RuleFields): RuleFields {
  const isOwn = modules.items.some(({ triggers }) => triggers.some((trigger) => sampleText(trigger) === fields.sample));
  return isOwn ? { ...fields, sample: '' } : fields;
}

/** The event to preview with; undefined for the sample of the trigger. It is one of the trigger that is chosen. */
export function sampleIn(fields: Pick<RuleFields, 'sample' | 'trigger'>): SampleEvent {
  if (fields.sample.trim() === '') return { ok: true, event: undefined };
  try {
    const event: unknown = JSON.parse(fields.sample);
    const isObject = typeof event === 'object' && event !== null && !Array.isArray(event);
    return isObject ? { ok: true, event: { ...event, ...chosen(fields) } } : { ok: false, fault: 'must be an object' };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : 'This is no JSON.' };
  }
}
