/** The kinds of fields in short, and the fields that several record types share. */
import type { ObjectField, ValueField } from './schema.ts';

export const text = { kind: 'text' } as const;
export const keyword = { kind: 'keyword' } as const;
export const date = { kind: 'date' } as const;
export const number = { kind: 'number' } as const;
export const boolean = { kind: 'boolean' } as const;

/** Arrays of values. */
export const texts = { kind: 'text', list: true } as const;
export const keywords = { kind: 'keyword', list: true } as const;
export const dates = { kind: 'date', list: true } as const;

/** An array of objects. */
export const objects = (fields: Readonly<Record<string, ValueField>>): ObjectField => ({ kind: 'object', fields });

export const descriptions = objects({
  dateSeen: dates,
  sourceURLs: keywords,
  value: { ...text, searchedByDefault: true },
});
export const features = objects({ key: text, value: texts });
export const hours = objects({ day: text, hour: text });
export const people = objects({
  dateSeen: dates,
  email: text,
  name: text,
  phone: text,
  title: text,
});
export const reviews = objects({
  date,
  dateAdded: date,
  dateSeen: dates,
  doRecommend: boolean,
  rating: number,
  sourceURLs: keywords,
  text,
  title: text,
  userCity: text,
  username: text,
  userProvince: text,
});
