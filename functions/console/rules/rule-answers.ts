import * as z from 'zod/mini';

export const Rule = z.object({
  id: z.string(),
  /** Empty for a rule without a name. */
  name: z.string(),
  module: z.string(),
  moduleName: z.string(),
  trigger: z.string(),
  apiConfigurationId: z.string(),
  headers: z.record(z.string(), z.string()),
  /** The text of the body. Parsed and printed again it would lose digits of large numbers. */
  bodyText: z.string(),
  enabled: z.boolean(),
  updatedAt: z.string(),
});
export type Rule = z.output<typeof Rule>;

/** `Data Subject Requests: Stage started` */
export const eventName = ({ moduleName, trigger }: Pick<Rule, 'moduleName' | 'trigger'>): string =>
  `${moduleName}: ${trigger}`;

/** The name of a rule, or its event if it has none. */
export const ruleTitle = (rule: Pick<Rule, 'name' | 'moduleName' | 'trigger'>): string => rule.name || eventName(rule);

export const RulePage = z.object({ items: z.array(Rule), nextCursor: z.optional(z.string()) });

/** The modules with their triggers, variables and sample events. */
export const Modules = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      triggers: z.array(
        z.object({
          name: z.string(),
          variables: z.array(z.object({ name: z.string(), description: z.optional(z.string()) })),
          sample: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  ),
});
export type Modules = z.output<typeof Modules>;
export type Trigger = Modules['items'][number]['triggers'][number];

/** The preview of a rule. */
export const Rendered = z.object({
  payload: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** The variables that the event does not have. */
  unknown: z.array(z.string()),
  bytes: z.number(),
});
export type Rendered = z.output<typeof Rendered>;

export const Configurations = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });
export type Configurations = z.output<typeof Configurations>;
