import type { Locale } from './locale.ts';

export const GERMANY: Locale = {
  country: 'DE',
  decidesAlone: false,
  timeZone: 'Europe/Berlin',
  currency: 'EUR',
  currencyMarks: ['EUR', '€'],
  dayFirst: true,
  decimalMark: ',',
  phrases: [
    ['header', ['BEZEICHNUNG', 'MENGE PREIS', 'ARTIKEL PREIS', 'EINZELPREIS']],
    ['count', ['ANZAHL', 'ARTIKELANZAHL', 'POSTEN']],
    ['rounding', ['RUNDUNG']],
    ['discount', ['RABATT', 'NACHLASS', 'ERSPARNIS', 'COUPON', 'GUTSCHEIN']],
    ['change', ['RUCKGELD', 'RUECKGELD', 'WECHSELGELD', 'ZURUCK']],
    ['tax-summary', ['MWST NETTO', 'NETTO MWST', 'STEUER NETTO', 'STEUERSATZ', 'NETTO STEUER']],
    ['subtotal', ['ZWISCHENSUMME', 'ZWISCHEN SUMME', 'NETTOBETRAG', 'SUMME NETTO']],
    ['total', ['GESAMTBETRAG', 'ZU ZAHLEN', 'ENDBETRAG', 'GESAMTSUMME', 'ZAHLBETRAG']],
    ['tax', ['MWST', 'UST', 'MEHRWERTSTEUER', 'UMSATZSTEUER']],
    ['total', ['SUMME', 'GESAMT', 'TOTAL', 'BETRAG']],
    ['tender', ['GEGEBEN', 'BARZAHLUNG', 'BAR', 'KARTENZAHLUNG', 'GIROCARD', 'KARTE', 'VISA', 'MASTERCARD', 'MAESTRO']],
  ],
  companyWords: ['GMBH', 'MARKT', 'SUPERMARKT', 'APOTHEKE', 'BACKEREI', 'BAECKEREI', 'DROGERIE', 'HANDELS', 'KAUFHAUS'],
  companyForms: ['GMBH', 'AG', 'KG', 'OHG', 'CO', 'EK', 'UG', 'MBH'],
  addressWords: ['TEL', 'FAX', 'TELEFON', 'STRASSE', 'STR', 'PLATZ', 'ALLEE', 'WEG', 'USTID', 'STEUERNR', 'WWW', 'BON'],
  /** The postal code precedes the name of the town. */
  regions: [/\b(\d{5}) (?=[A-Z]{3})/g],
};
