import type { Locale } from './locale.ts';

export const SPAIN: Locale = {
  country: 'ES',
  decidesAlone: false,
  timeZone: 'Europe/Madrid',
  currency: 'EUR',
  currencyMarks: ['EUR', '€'],
  dayFirst: true,
  decimalMark: ',',
  phrases: [
    ['header', ['DESCRIPCION', 'CANT PRECIO', 'UDS PRECIO', 'P UNIT']],
    ['count', ['NUMERO ARTICULOS', 'N ARTICULOS', 'TOTAL ARTICULOS', 'ARTICULOS']],
    ['rounding', ['REDONDEO']],
    ['discount', ['DESCUENTO', 'DTO', 'AHORRO', 'CUPON', 'VALE']],
    ['change', ['CAMBIO', 'A DEVOLVER']],
    ['tax-summary', ['BASE IMPONIBLE', 'IVA BASE', 'TIPO BASE']],
    ['subtotal', ['SUBTOTAL', 'SUB TOTAL', 'SUMA']],
    ['tax', ['TOTAL IVA', 'CUOTA IVA', 'IVA', 'IGIC']],
    ['total', ['TOTAL A PAGAR', 'IMPORTE TOTAL', 'TOTAL COMPRA', 'TOTAL FACTURA', 'TOTAL']],
    ['tender', ['EFECTIVO', 'ENTREGADO', 'ENTREGA', 'TARJETA BANCARIA', 'TARJETA', 'RECIBIDO', 'VISA', 'MASTERCARD']],
  ],
  companyWords: ['SL', 'SA', 'SLU', 'SUPERMERCADO', 'MERCADO', 'FARMACIA', 'PANADERIA', 'FERRETERIA', 'LIBRERIA'],
  companyForms: ['SL', 'SA', 'SLU', 'SLL', 'SC'],
  addressWords: ['TEL', 'TELEFONO', 'CALLE', 'AVENIDA', 'PASEO', 'CIF', 'NIF', 'WWW', 'FACTURA', 'TICKET'],
  /** The postal code precedes the name of the town. */
  regions: [/\b(\d{5}) (?=[A-Z]{3})/g],
};
