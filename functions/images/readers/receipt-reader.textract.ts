import {
  AnalyzeExpenseCommand,
  BadDocumentException,
  DocumentTooLargeException,
  type ExpenseDocument,
  TextractClient,
  UnsupportedDocumentException,
} from '@aws-sdk/client-textract';
import { callLimits } from '#shared/call-limits';
import type { GreyImage } from '../pictures/grey-image.ts';
import { rawGrey } from '../pictures/open-picture.sharp.ts';
import { receiptOfExpenses } from './expense.ts';
import type { AnalyzedPage } from './expense-sheet.ts';
import type { ReceiptReader } from './receipt-reader.ts';

/** Even noise on a page of the largest size stays below the 10 MB that Textract takes. */
const QUALITY = 90;

let ownClient: TextractClient | undefined;

/**
 * Amazon Textract, AnalyzeExpense. Every page is one call, and is paid for. It gets the pages as they were opened, and so
 * any format that we read, whatever it takes itself. @param client @default one for the function
 */
export const textractReader = (client?: TextractClient): ReceiptReader => ({
  async read(pages, locale) {
    const analyzed: AnalyzedPage[] = [];
    for (const page of pages) analyzed.push({ page, documents: await expensesOn(page, client) });
    return receiptOfExpenses(analyzed, locale);
  },
});

/** None if Textract cannot read the page, however often it is tried. */
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
