import {
  AnalyzeExpenseCommand,
  BadDocumentException,
  DocumentTooLargeException,
  type ExpenseDocument,
  TextractClient,
  UnsupportedDocumentException,
} from '@aws-sdk/client-textract';
import { callLimits } from '#shared/quotas/call-limits';
import type { GreyImage } from '../pictures/grey-image.ts';
import { rawGrey } from '../pictures/open-picture.sharp.ts';
import { receiptOfExpenses } from './expense.ts';
import type { AnalyzedPage } from './expense-sheet.ts';
import type { ReceiptReader } from './receipt-reader.ts';

/** At this quality even noise on the largest page stays below Textract's limit of 10 MB. */
const QUALITY = 90;

let ownClient: TextractClient | undefined;

/**
 * Reads receipts with Amazon Textract, AnalyzeExpense. Each page is one paid call. Pages are sent as they were opened,
 * so every supported format works.
 * @param client
 * @default a client made for the function
 */
export const textractReader = (client?: TextractClient): ReceiptReader => ({
  async read(pages, locale) {
    const analyzed: AnalyzedPage[] = [];
    for (const page of pages) analyzed.push({ page, documents: await expensesOn(page, client) });
    return receiptOfExpenses(analyzed, locale);
  },
});

/** Empty if Textract cannot read the page at all. */
async function expensesOn(page: GreyImage, client: TextractClient | undefined): Promise<readonly ExpenseDocument[]> {
  ownClient ??= new TextractClient({ maxAttempts: 4, requestHandler: callLimits(20_000) });
  const bytes = await rawGrey(page).jpeg({ quality: QUALITY }).toBuffer();
  try {
    const answer = await (client ?? ownClient).send(new AnalyzeExpenseCommand({ Document: { Bytes: bytes } }));
    return answer.ExpenseDocuments ?? [];
  } catch (error) {
    const hopeless = [BadDocumentException, UnsupportedDocumentException, DocumentTooLargeException];
    if (hopeless.some((kind) => error instanceof kind)) return [];
    throw error;
  }
}
