/** The largest file of a form. The gateway gives a function 6 MB, with each three bytes as four characters. */
export const FORM_FILE_BYTES_MAX = 4_000_000;

/** The same with the other fields of the form. */
export const FORM_BYTES_MAX = FORM_FILE_BYTES_MAX + 100_000;
