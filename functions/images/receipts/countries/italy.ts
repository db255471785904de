import type { Locale } from './locale.ts';

export const ITALY: Locale = {
  country: 'IT',
  decidesAlone: false,
  timeZone: 'Europe/Rome',
  currency: 'EUR',
  currencyMarks: ['EUR', '€'],
  dayFirst: true,
  decimalMark: ',',
  phrases: [
    ['header', ['DESCRIZIONE', 'QTA PREZZO', 'IVA PREZZO']],
    ['count', ['NUMERO ARTICOLI', 'N ARTICOLI', 'TOTALE ARTICOLI', 'TOTALE PEZZI', 'PEZZI']],
    ['rounding', ['ARROTONDAMENTO']],
    ['discount', ['SCONTO', 'BUONO', 'RISPARMIO']],
    ['change', ['RESTO']],
    ['tax-summary', ['ALIQUOTA', 'IVA IMPONIBILE', 'IMPONIBILE IVA']],
    ['subtotal', ['SUBTOTALE', 'SUB TOTALE', 'IMPONIBILE']],
    ['tax', ['TOTALE IVA', 'DI CUI IVA', 'IVA']],
    ['tender', ['IMPORTO PAGATO', 'PAGAMENTO', 'CONTANTE', 'CONTANTI', 'ELETTRONICO', 'BANCOMAT', 'CARTA', 'VISA']],
    ['total', ['TOTALE COMPLESSIVO', 'TOTALE EURO', 'DA PAGARE', 'TOTALE']],
  ],
  companyWords: ['SRL', 'SPA', 'SNC', 'SAS', 'SUPERMERCATO', 'MERCATO', 'FARMACIA', 'PANIFICIO', 'ALIMENTARI'],
  companyForms: ['SRL', 'SPA', 'SNC', 'SAS', 'SRLS'],
  addressWords: ['TEL', 'TELEFONO', 'VIA', 'VIALE', 'PIVA', 'DOCUMENTO', 'WWW', 'SCONTRINO'],
  /** The postal code precedes the name of the town. */
  regions: [/\b(\d{5}) (?=[A-Z]{3})/g],
};
