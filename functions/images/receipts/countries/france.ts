import type { Locale } from './locale.ts';

export const FRANCE: Locale = {
  country: 'FR',
  decidesAlone: false,
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  currencyMarks: ['EUR', '€'],
  dayFirst: true,
  decimalMark: ',',
  phrases: [
    ['header', ['DESIGNATION', 'LIBELLE', 'QTE PRIX', 'ARTICLE PRIX']],
    ['count', ['NOMBRE ARTICLES', 'NB ARTICLES', 'NOMBRE D ARTICLES', 'ARTICLES VENDUS', 'ARTICLE S']],
    ['rounding', ['ARRONDI']],
    ['discount', ['REMISE', 'REDUCTION', 'RABAIS', 'AVANTAGE', 'BON']],
    ['change', ['RENDU', 'A RENDRE', 'MONNAIE']],
    ['tax-summary', ['TAUX TVA', 'CODE TVA', 'TVA HT', 'HT TVA', 'TAUX HT']],
    ['subtotal', ['SOUS TOTAL', 'TOTAL HT', 'MONTANT HT']],
    ['total', ['TOTAL TTC', 'NET A PAYER', 'TOTAL A PAYER', 'A PAYER', 'MONTANT DU', 'MONTANT TTC']],
    ['tax', ['TOTAL TVA', 'DONT TVA', 'TVA']],
    ['total', ['TOTAL', 'MONTANT']],
    ['tender', ['ESPECES', 'CARTE BANCAIRE', 'CARTE BLEUE', 'CARTE', 'CB', 'CHEQUE', 'VISA', 'MASTERCARD', 'RECU']],
  ],
  companyWords: ['SARL', 'SAS', 'SASU', 'EURL', 'MARCHE', 'SUPERMARCHE', 'PHARMACIE', 'BOULANGERIE', 'LIBRAIRIE'],
  companyForms: ['SARL', 'SAS', 'SASU', 'SA', 'EURL', 'SNC'],
  addressWords: ['TEL', 'TELEPHONE', 'RUE', 'AVENUE', 'BOULEVARD', 'ROUTE', 'SIRET', 'TVA', 'WWW', 'TICKET'],
  /** The postal code precedes the name of the town. */
  regions: [/\b(\d{5}) (?=[A-Z]{3})/g],
};
