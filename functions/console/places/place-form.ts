import type { Form } from '../pages/form.ts';
import type { Place } from './place-answers.ts';

/** The fields of the form, as text. */
export interface PlaceFields {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly brand: string;
  readonly points: string;
  readonly acceptedDistanceMeters: string;
  readonly isClosed: boolean;
}

export const NEW_PLACE: PlaceFields = {
  id: '',
  name: '',
  icon: '',
  address: '',
  city: '',
  state: '',
  latitude: '',
  longitude: '',
  brand: '',
  points: '0',
  acceptedDistanceMeters: '',
  isClosed: false,
};

export const fieldsOf = (place: Place): PlaceFields => ({
  id: place.id,
  name: place.name,
  icon: place.icon,
  address: place.address,
  city: place.city,
  state: place.state,
  latitude: String(place.latitude),
  longitude: String(place.longitude),
  brand: place.brand,
  points: String(place.points),
  acceptedDistanceMeters: place.acceptedDistanceMeters === undefined ? '' : String(place.acceptedDistanceMeters),
  isClosed: place.closed,
});

export const fieldsIn = (form: Form): PlaceFields => ({
  id: form.text('id').trim(),
  name: form.text('name').trim(),
  icon: form.text('icon').trim(),
  address: form.text('address').trim(),
  city: form.text('city').trim(),
  state: form.text('state').trim(),
  latitude: form.text('latitude').trim(),
  longitude: form.text('longitude').trim(),
  brand: form.text('brand').trim(),
  points: form.text('points').trim(),
  acceptedDistanceMeters: form.text('acceptedDistanceMeters').trim(),
  isClosed: form.isChecked('isClosed'),
});

const NUMBERS = {
  latitude: 'Enter degrees as a number, such as 47.6205',
  longitude: 'Enter degrees as a number, such as -122.3493',
  points: 'Enter a whole number',
  acceptedDistanceMeters: 'Enter a whole number of metres, or leave empty',
} as const;

/** Returns the fields that are not valid numbers, with their error texts. */
export function wrongNumbers(fields: PlaceFields): Record<string, string> {
  const wrong = Object.entries(NUMBERS).filter(([name]) => {
    const text = fields[name as keyof typeof NUMBERS];
    if (name === 'acceptedDistanceMeters' && text === '') return false;
    return numberIn(text) === undefined || (/^[pa]/.test(name) && !Number.isInteger(numberIn(text)));
  });
  return Object.fromEntries(wrong);
}

/** The request body of a save, once all numbers are valid. An empty radius means the app's default. */
export function bodyOf({
  id: _,
  isClosed,
  latitude,
  longitude,
  points,
  acceptedDistanceMeters,
  ...texts
}: PlaceFields) {
  const accepted = numberIn(acceptedDistanceMeters);
  return {
    ...texts,
    latitude: numberIn(latitude),
    longitude: numberIn(longitude),
    points: numberIn(points),
    closed: isClosed,
    ...(accepted !== undefined && { acceptedDistanceMeters: accepted }),
  };
}

const numberIn = (text: string): number | undefined =>
  /^[-+]?\d{1,9}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined;
