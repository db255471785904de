import { EVENT_SOURCES } from '#shared/events/event-sources';
import type { Management } from '../management/management.ts';
import { type Rule, RulePage, type Trigger } from './rule-answers.ts';

/** Returns whether the events of a module come from the service alone, which refuses them from anybody else. */
export const isBuiltIn = (module: string): boolean => Object.hasOwn(EVENT_SOURCES, module);

const RECORD = 'test-';

/**
 * The sample event of a trigger as an event to send. Its ids and its data say that it is a test.
 * @param nonce the nonce of the form, so that the same form makes the same event
 */
export const testEvent = ({ sample }: Pick<Trigger, 'sample'>, nonce: string, now: number) => ({
  ...sample,
  id: `test-event-${nonce}`,
  recordId: `${RECORD}${nonce.slice(0, 8)}`,
  data: { ...dataOf(sample), test: true },
  time: new Date(now).toISOString(),
});

const dataOf = ({ data }: Trigger['sample']): object => (typeof data === 'object' && data !== null ? data : {});

/** The most pages of rules that are read to find those of a trigger. */
const PAGES_MAX = 10;

/** Returns the other enabled rules that an event of this rule fires. */
export async function otherRules({ get }: Pick<Management, 'get'>, rule: Rule): Promise<Rule[]> {
  const others: Rule[] = [];
  let cursor: string | undefined = '';
  for (let page = 0; page < PAGES_MAX && cursor !== undefined; page += 1) {
    const part: { items: Rule[]; nextCursor?: string | undefined } = await get('rules', RulePage, {
      module: rule.module,
      limit: '100',
      cursor,
    });
    others.push(
      ...part.items.filter(({ id, trigger, enabled }) => enabled && trigger === rule.trigger && id !== rule.id),
    );
    cursor = part.nextCursor;
  }
  return others;
}
