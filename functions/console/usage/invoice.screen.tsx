import { type Column, DataTable } from '../components/data-table.tsx';
import { Facts, PageHead } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { accountPath } from './account-path.ts';
import { type Invoice, InvoicePage, InvoiceRecipient } from './usage-answers.ts';
import { moneyText } from './usage-words.ts';

/** One invoice, as it is printed. */
export const invoiceScreen: Screen = async (pageRequest) => {
  const { management, tenant } = pageRequest;
  const [invoice, recipient] = await Promise.all([
    invoiceOf(pageRequest, pageRequest.path['id'] ?? ''),
    settled(management.get(`accounts/${encodeURIComponent(tenant)}`, InvoiceRecipient)),
  ]);
  const { currency, amount, tax } = invoice;
  const { name = tenant, organization, email } = recipient.ok ? recipient.value : {};
  return page(
    `Invoice ${invoice.id}`,
    <>
      <PageHead
        title="Invoice"
        lead={<span class="mono">{invoice.id}</span>}
        under={[screenPath(pageRequest, 'usage/invoices'), 'Invoices']}
      >
        <button class="button" type="button" data-prints hidden>
          Print
        </button>
      </PageHead>
      <div class="card invoice">
        <div class="pad">
          <Facts
            facts={{
              Account: organization ?? name,
              Email: email,
              Date: <Time at={invoice.createdAt} only="date" />,
              Period: (
                <>
                  <Time at={invoice.periodStart} only="date" /> – <Time at={invoice.periodEnd} only="date" />
                </>
              ),
              'Total before tax': <strong>{moneyText(amount, currency)}</strong>,
              Tax: tax,
            }}
          />
        </div>
        <DataTable
          caption="Invoice lines"
          columns={LINES}
          rows={invoice.lines}
          keyOf={({ description }) => description}
        />
      </div>
    </>,
  );
};

const LINES: readonly Column<Invoice['lines'][number]>[] = [
  { title: 'Description', cell: ({ description }) => description, class: 'strong', onPhone: 'first' },
  { title: 'Quantity', cell: ({ quantity }) => countText(quantity), isRight: true, onPhone: 'gone' },
  { title: 'Unit price', cell: ({ unitPrice }) => unitPrice, isRight: true, onPhone: 'gone' },
  { title: 'Amount', cell: ({ amount }) => amount, isRight: true, class: 'strong', onPhone: 'second' },
];

/** Returns an invoice of the account. The API only lists them, so the list is read up to it. */
async function invoiceOf(pageRequest: PageRequest, id: string, cursor = ''): Promise<Invoice> {
  const path = accountPath(pageRequest, 'invoices');
  const { items, nextCursor } = await pageRequest.management.get(path, InvoicePage, { limit: '100', cursor });
  const invoice = items.find((one) => one.id === id);
  if (invoice) return invoice;
  if (nextCursor !== undefined) return invoiceOf(pageRequest, id, nextCursor);
  throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such invoice.' });
}
