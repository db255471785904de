/** The display texts of the API's codes for doubts about a reading. */
const WORDS: Readonly<Record<string, string>> = {
  'no-total': 'no total was found',
  'total-unproven': 'no sum confirms the total',
  'no-date': 'no date was found',
  'date-unread': 'the date cannot be read',
  'date-unsure': 'a digit of the date may be wrong',
  'items-unproven': 'the lines do not add up to the total',
  'no-store': 'no store was found',
  'other-locale': "its format does not match the campaign's country",
  'no-purchase': 'its title is that of another paper, such as a credit note',
};

/** `Low confidence: no sum confirms the total, no date was found.` */
export const doubtText = (reason: string): string =>
  reason.replaceAll(/\b[a-z]+-[a-z]+\b/g, (word) => WORDS[word] ?? word);
