import * as z from 'zod/mini';
import { readItem, type Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import type { TenantPass, TenantPasses } from './erase-tenant.ts';
import type { ErasingDomain, OpenAccountErasure } from './erasure.ts';
import { erasureKey, IS_OPEN } from './erasure-items.dynamodb.ts';

const Pass = z.object({ startedAt: z.string(), cursor: z.optional(z.record(z.string(), z.unknown())) });
const Passes = z.object({ completedAt: z.optional(z.string()), passes: z.record(z.string(), Pass) });

/** The passes of a domain, stored in the items of erasures. @param accounts the table of those items */
export function tenantPasses(accounts: Table, domain: ErasingDomain): TenantPasses {
  async function update(
    erasure: OpenAccountErasure,
    { condition, change, values }: { condition: string; change: string; values: object },
  ): Promise<boolean> {
    const whileOpen = { change, condition: `${IS_OPEN} AND ${condition}`, names: { domain }, values };
    return (await updateItem(accounts, erasureKey(erasure), whileOpen)).done;
  }

  const stored = (erasure: OpenAccountErasure): Promise<TenantPass | undefined> =>
    readItem(accounts, erasureKey(erasure), (item) => Passes.parse(item).passes[domain]);

  return {
    async openPass(erasure, startedAt) {
      const begun = await update(erasure, {
        condition: 'attribute_not_exists(passes.#domain) AND attribute_not_exists(erasedAt.#domain)',
        change: 'SET passes.#domain = :pass',
        values: { pass: { startedAt } },
      });
      return begun ? { startedAt } : stored(erasure);
    },

    advance: (erasure, pass) =>
      update(erasure, {
        condition: 'passes.#domain.startedAt = :startedAt',
        change: 'SET passes.#domain = :pass',
        values: { startedAt: pass.startedAt, pass },
      }),

    async end(erasure, { startedAt }, erasedAt) {
      await update(erasure, {
        condition: 'passes.#domain.startedAt = :startedAt',
        change: `${erasedAt === undefined ? '' : 'SET erasedAt.#domain = :erasedAt '}REMOVE passes.#domain`,
        values: { startedAt, erasedAt },
      });
    },
  };
}
