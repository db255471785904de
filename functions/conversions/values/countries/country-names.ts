/** Common names that the lists lack. */
export const MORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['U.A.E.'],
  AT: ['Republik Österreich'],
  BA: ['Bosnia'],
  CD: ['Democratic Republic of the Congo', 'Congo DR', 'Congo Democratic Republic', 'Kongo-Kinshasa'],
  CG: ['Republic of the Congo', 'Kongo-Brazzaville'],
  CH: ['Swiss Confederation', 'Confoederatio Helvetica'],
  CI: ['Ivory Coast'],
  CN: ['PRC', 'PR China', 'Mainland China', 'VR China'],
  DE: ['BRD', 'Federal Republic of Germany', 'Bundesrepublik Deutschland'],
  FK: ['Falklands'],
  FM: ['Micronesia'],
  GB: ['England', 'Scotland', 'Wales', 'Northern Ireland', 'U.K.', 'Great Britain and Northern Ireland'],
  GR: ['Hellas', 'EL'],
  HK: ['Hong Kong SAR', 'Hongkong'],
  IE: ['Republic of Ireland', 'Eire', 'Éire'],
  KN: ['St Kitts', 'St Kitts and Nevis'],
  KP: ['Korea', 'North Korea', 'DPR Korea'],
  KR: ['Korea', 'South Korea', 'Korea South', 'Korea Republic of'],
  LC: ['St Lucia'],
  MK: ['FYROM', 'Republic of North Macedonia'],
  NL: ['The Netherlands', 'Holland'],
  PS: ['Palestine', 'West Bank and Gaza'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Türkiye'],
  TW: ['Republic of China', 'Taiwan ROC', 'Chinese Taipei'],
  US: ['United States of America', 'U.S.A.', 'U.S.', 'Estados Unidos', 'EEUU', 'EE.UU.', 'Etats-Unis'],
  VA: ['Vatican City', 'Vatikan'],
  VC: ['St Vincent', 'St Vincent and the Grenadines'],
  XK: ['Kosova'],
};

/** Members of the European Union since Croatia joined and the United Kingdom left. */
export const EU_MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
