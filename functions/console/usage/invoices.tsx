import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import type { Invoice } from './usage-answers.ts';
import { moneyText } from './usage-words.ts';

export function InvoiceTable({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return <DataTable caption="Invoices" columns={COLUMNS} rows={invoices} keyOf={({ id }) => id} />;
}

const COLUMNS: readonly Column<Invoice>[] = [
  {
    title: 'Date',
    class: 'strong',
    onPhone: 'first',
    cell: ({ createdAt }) => <Time at={createdAt} only="day" />,
  },
  {
    title: 'Lines',
    onPhone: 'first',
    cell: ({ lines }) => (
      <ul>
        {lines.map(({ description, quantity, amount }) => (
          <li key={description}>
            {description} <span class="faint">{quantity === 1 ? amount : `${quantity} for ${amount}`}</span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    title: 'Period',
    class: 'nowrap',
    onPhone: 'gone',
    cell: ({ periodStart, periodEnd }) => (
      <>
        <Time at={periodStart} only="day" /> – <Time at={periodEnd} only="day" />
      </>
    ),
  },
  {
    title: 'Before tax',
    isRight: true,
    class: 'nowrap strong',
    onPhone: 'second',
    cell: ({ amount, currency }) => moneyText(amount, currency),
  },
];
