/** The readers of receipts, in order: the second reads what the first leaves in doubt. */
export const RECEIPT_READERS = ['embedded', 'textract', 'embedded,textract', 'textract,embedded'] as const;
export type ReceiptReaders = (typeof RECEIPT_READERS)[number];
