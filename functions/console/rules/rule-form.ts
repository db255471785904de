import { formatJson } from '../components/json-text.ts';
import type { Form } from '../pages/form.ts';
import type { Modules, Rule, Trigger } from './rule-answers.ts';

/** The fields of a rule, as text. */
export interface RuleFields {
  readonly name: string;
  /** Module and trigger as `module|trigger`, so that they always match. */
  readonly trigger: string;
  readonly apiConfigurationId: string;
  /** The headers, one per line: `Name: value`. */
  readonly headers: string;
  readonly body: string;
  readonly isEnabled: boolean;
  /** The event of the preview; empty for the sample of the trigger. */
  readonly sample: string;
}

const NEW_BODY = `{
  "request": "{{requestId}}",
  "tenant": "{{tenantId}}"
}`;

export const triggerValue = (module: string, trigger: string): string => `${module}|${trigger}`;

/** Returns the initial fields of a new rule: the module in the address, or the first one. */
export function newRule(modules: Modules, address: URLSearchParams): RuleFields {
  const module = modules.items.find(({ id }) => id === address.get('module')) ?? modules.items[0];
  return {
    name: '',
    trigger: triggerValue(module?.id ?? '', module?.triggers[0]?.name ?? ''),
    apiConfigurationId: address.get('configuration') ?? '',
    headers: '',
    body: NEW_BODY,
    isEnabled: true,
    sample: '',
  };
}

export const fieldsOf = (rule: Rule): RuleFields => ({
  name: rule.name,
  trigger: triggerValue(rule.module, rule.trigger),
  apiConfigurationId: rule.apiConfigurationId,
  headers: Object.entries(rule.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  // A body that was saved by a program may be one long line.
  body: rule.bodyText.includes('\n') ? rule.bodyText : formatJson(rule.bodyText),
  isEnabled: rule.enabled,
  sample: '',
});

export const fieldsIn = (form: Form): RuleFields => ({
  name: form.text('name').trim(),
  trigger: form.text('trigger'),
  apiConfigurationId: form.text('apiConfigurationId'),
  headers: form.text('headers'),
  body: form.text('body'),
  isEnabled: form.isChecked('isEnabled'),
  sample: form.text('sample'),
});

/** Splits the choice into module and trigger. */
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

/** Parses the headers. Lines without a colon are none: `headerFault` names the first. */
export const headersIn = (text: string) =>
  text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const at = line.indexOf(':');
    return at < 0 ? [] : [{ name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }];
  });

/** The first fault of the headers as they are written; undefined if every line is one. */
export function headerFault(text: string): string | undefined {
  const line = text.split('\n').findIndex((one) => one.trim() !== '' && !one.includes(':'));
  return line < 0 ? undefined : `Line ${line + 1} needs a colon, such as X-Source: privacy`;
}

export const bodyOf = (fields: RuleFields) => ({
  name: fields.name,
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

/** Removes an unchanged sample from the fields, because it may belong to a trigger that was chosen before. */
export function withoutOwnSample(modules: Modules, fields: RuleFields): RuleFields {
  const isOwn = modules.items.some(({ triggers }) => triggers.some((trigger) => sampleText(trigger) === fields.sample));
  return isOwn ? { ...fields, sample: '' } : fields;
}

/**
 * Parses the event of the preview; undefined for the sample of the trigger. Module and trigger are always those of the
 * choice.
 */
export function sampleIn(fields: Pick<RuleFields, 'sample' | 'trigger'>): SampleEvent {
  if (fields.sample.trim() === '') return { ok: true, event: undefined };
  try {
    const event: unknown = JSON.parse(fields.sample);
    const isObject = typeof event === 'object' && event !== null && !Array.isArray(event);
    return isObject ? { ok: true, event: { ...event, ...chosen(fields) } } : { ok: false, fault: 'must be an object' };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : 'This is not valid JSON.' };
  }
}
