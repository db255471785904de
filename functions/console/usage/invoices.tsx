import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { type PageRequest, screenPath } from '../pages/screen.ts';
import type { Invoice } from './usage-answers.ts';
import { moneyText } from './usage-words.ts';

interface InvoiceTableProps {
  readonly pageRequest: PageRequest;
  readonly invoices: readonly Invoice[];
}

export const InvoiceTable = ({ pageRequest, invoices }: InvoiceTableProps) => (
  <DataTable caption="Invoices" columns={columnsOf(pageRequest)} rows={invoices} keyOf={({ id }) => id} />
);

const columnsOf = (pageRequest: PageRequest): readonly Column<Invoice>[] => [
  {
    title: 'Invoice',
    class: 'strong',
    onPhone: 'first',
    text: ({ id }) => id,
    cell: ({ id, createdAt }) => (
      <a href={screenPath(pageRequest, `usage/invoices/${encodeURIComponent(id)}`)}>
        <Time at={createdAt} only="day" />
        <span class="hidden"> ({id})</span>
      </a>
    ),
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
