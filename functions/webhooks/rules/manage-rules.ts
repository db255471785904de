import { noSuch, Refusal } from '#shared/errors';
import { parseExactly } from '#shared/formats/exact-json';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { type Draft, tenantFaults } from '#shared/http/management-api';
import type { TenantKey } from '#shared/ids';
import { MODULES, type ModuleId } from '../modules/module.ts';
import type { Rule, Rules } from './rule.ts';
import { type NewRule, RuleChange } from './rule-input.ts';

interface Save extends TenantKey {
  readonly now: number;
}

export async function createRule(rules: Rules, input: NewRule, { tenant, id, now }: Save): Promise<Rule> {
  checkTrigger(input);
  const rule: Rule = { id, tenant, ...input, createdAt: isoTime(now), updatedAt: isoTime(now) };
  const added = await rules.add(rule);
  if (added === 'unknown-configuration') throw unknownConfiguration();
  if (added === 'too-many')
    throw new Refusal(409, 'too-many-rules', 'The account has reached its limit of rules. Delete one first.');
  return rule;
}

export async function changeRule(rules: Rules, change: RuleChange, { tenant, id, now }: Save): Promise<Rule> {
  const saved = await rules.change(
    { tenant, id },
    {
      // If the configuration was deleted, a rule that is sent back unchanged must not fail because of it.
      namesConfiguration: (stored) =>
        change.apiConfigurationId !== undefined && change.apiConfigurationId !== stored.apiConfigurationId,
      edit(stored) {
        const changed = { ...stored, ...change, updatedAt: isoTime(now) };
        checkTrigger(changed);
        return changed;
      },
    },
  );
  if (saved === 'missing') noSuch('rule');
  if (saved === 'unknown-configuration') throw unknownConfiguration();
  return saved;
}

export async function ruleById(rules: Rules, key: TenantKey): Promise<Rule> {
  const rule = await rules.byId(key);
  if (!rule) noSuch('rule');
  return rule;
}

export async function deleteRule(rules: Rules, key: TenantKey): Promise<void> {
  if (!(await rules.remove(key))) noSuch('rule');
}

/** The rule as the management API shows it. */
export const presentRule = (rule: Rule) => ({
  id: rule.id,
  name: rule.name,
  module: rule.module,
  moduleName: MODULES[rule.module].name,
  trigger: rule.trigger,
  apiConfigurationId: rule.apiConfigurationId,
  headers: Object.fromEntries(rule.headers.map(({ name, value }) => [name, value])),
  body: parseExactly(rule.body),
  bodyText: rule.body,
  enabled: rule.enabled,
  createdAt: rule.createdAt,
  updatedAt: rule.updatedAt,
});

/** Throws a refusal if the module has no such trigger. */
export function checkTrigger({ module, trigger }: { readonly module: ModuleId; readonly trigger: string }): void {
  const { name, triggers } = MODULES[module];
  if (triggers.some((candidate) => candidate === trigger)) return;
  throw faultOf('trigger', `must be one of ${triggers.join(', ')} (${name})`);
}

/** The checks of a save beyond the schema. */
export const ruleFaults = (rules: Pick<Rules, 'byId' | 'hasConfiguration'>) =>
  tenantFaults(RuleChange, (sound, draft) => ruleChecks(rules, sound, draft));

async function ruleChecks(
  rules: Pick<Rules, 'byId' | 'hasConfiguration'>,
  sound: RuleChange,
  { tenant, id, unsound }: Draft,
) {
  const stored = id === undefined ? undefined : await rules.byId({ tenant, id });
  const { module, trigger, apiConfigurationId: target } = { ...stored, ...sound };
  return [
    () => {
      if (!module || trigger === undefined || unsound.has('module') || unsound.has('trigger')) return;
      checkTrigger({ module, trigger });
    },
    async () => {
      if (target === undefined || target === stored?.apiConfigurationId) return;
      if (!(await rules.hasConfiguration({ tenant, id: target }))) throw unknownConfiguration();
    },
  ];
}

const unknownConfiguration = () =>
  faultOf('apiConfigurationId', 'There is no such API configuration.', { status: 400, code: 'unknown-configuration' });
